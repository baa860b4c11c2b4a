import { type Address, type Detail, entry } from './entry.ts';

interface Moved {
  path: string;
  target: string;
  /** Null: nothing. */
  kept: 'all' | 'part' | null;
}

function contentOf({ kept }: Moved): string {
  if (kept === 'part') return 'which holds what could still be read';
  return kept ? 'which holds the whole session' : 'without what was recorded before';
}

/** Failures of the engine, its files and its machine. */
export const HOST_FAILURES = {
  'engine.port-in-use': entry<Address>(
    'roundtrip',
    (a) => `Port ${a.address} is in use by another program. Choose another with --port, or 0 for any free one.`,
  ),
  'engine.reverse-port-in-use': entry<Address>(
    'roundtrip',
    (a) =>
      `${a.address}, the address of a reverse listener, is in use. Choose another port, or end the program that ` +
      'uses it.',
  ),
  'engine.ui-port-in-use': entry<Address>(
    'roundtrip',
    (a) =>
      `The UI's port ${a.address} is in use by another program. Choose another with --ui-port, or 0 for any free one.`,
  ),
  'engine.listen-failed': entry<Address & Detail>('roundtrip', (a) => `Cannot listen on ${a.address}: ${a.detail}.`),
  'engine.out-of-descriptors': entry<{ limit: number }>(
    'roundtrip',
    (a) =>
      `Nearly all of the ${a.limit} files and connections that the system allows Roundtrip are open: new client ` +
      'connections are closed until others end. Raise the limit (ulimit -n).',
  ),
  'engine.thread-died': entry<Detail>(
    'roundtrip',
    (a) => `The proxy's thread died (${a.detail}) and was restarted. The session file is intact.`,
  ),
  'engine.thread-not-started': entry<Detail>(
    'roundtrip',
    (a) => `A Roundtrip thread could not be started: ${a.detail}.`,
  ),
  'engine.died-stopping': entry<Detail>(
    'roundtrip',
    (a) =>
      `The proxy's thread died (${a.detail}) while it was stopping. Exchanges that were under way may be incomplete.`,
  ),
  'engine.helper-died': entry<{ what: string; detail: string }>(
    'roundtrip',
    (a) => `A Roundtrip thread died: ${a.what} (${a.detail}). It restarts when needed; traffic continues.`,
  ),
  'engine.stopped': entry('roundtrip', () => 'The recording ended before the exchange was complete.'),
  'engine.internal': entry<Detail>('roundtrip', (a) => `Internal error: ${a.detail}. Please report this.`),
  'session.open-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The session file ${a.path} cannot be opened: ${a.detail}.`,
  ),
  'session.open-slow': entry<{ seconds: number }>(
    'roundtrip',
    (a) =>
      `The session file has not opened for ${a.seconds} s: its disk hangs, or another program locks it. Roundtrip ` +
      'waits for it.',
  ),
  'session.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) =>
      `Recording stopped: writing to the session file ${a.path} failed: ${a.detail}. Traffic continues; unrecorded ` +
      'exchanges wait in memory.',
  ),
  'session.stalled': entry<{ path: string; seconds: number }>(
    'roundtrip',
    (a) =>
      `Recording stopped: the session file ${a.path} has accepted no writes for ${a.seconds} s. Its disk hangs, or ` +
      'another program has locked it. Traffic continues; unrecorded exchanges wait in memory.',
  ),
  'session.writer-died': entry<Detail>(
    'roundtrip',
    (a) =>
      `Recording stopped: the thread that writes the session file died (${a.detail}). It is being restarted; ` +
      'unrecorded exchanges wait in memory.',
  ),
  'session.rows-lost': entry(
    'roundtrip',
    () =>
      'The memory for exchanges waiting to be recorded is full. Further exchanges are lost until the session file ' +
      'can be written again.',
  ),
  'session.messages-lost': entry<{ count: number }>(
    'roundtrip',
    (a) =>
      `${a.count} WebSocket messages or server-sent events are missing from the list of messages: they came faster ` +
      'than the session file could take them. Their bytes passed to the client. Record to a faster disk, or set ' +
      'slowDisk to "wait", which slows such streams down.',
  ),
  'session.file-removed': entry<Moved>(
    'roundtrip',
    (a) => `The session file ${a.path} was removed. Recording continues in ${a.target}, ${contentOf(a)}.`,
  ),
  'session.file-replaced': entry<Moved>(
    'roundtrip',
    (a) =>
      `The session file ${a.path} was replaced by another file, which is left alone. Recording continues in ` +
      `${a.target}, ${contentOf(a)}.`,
  ),
  'session.file-damaged': entry<Moved>(
    'roundtrip',
    (a) =>
      `The session file ${a.path} was damaged by another program. Recording continues in ${a.target}, ` +
      `${contentOf(a)}.${a.kept === 'part' || !a.kept ? ' The damaged file may hold more.' : ''}`,
  ),
  'rules.failed': entry<{ name: string; how: string }>(
    'roundtrip',
    (a) => `The rule "${a.name}" made this exchange fail: ${a.how}.`,
  ),
  'rules.answer-missing': entry<{ name: string; path: string; detail: string }>(
    'roundtrip',
    (a) => `The rule "${a.name}" can't answer with ${a.path}: ${a.detail}.`,
  ),
  'session.not-open': entry('roundtrip', () => 'This session is no longer open: it was closed or cleared.'),
  'session.open-already': entry<{ path: string; other: string }>(
    'roundtrip',
    (a) => `${a.path} is a copy of a session that is open: ${a.other}. Close that one first.`,
  ),
  'session.file-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The session file ${a.path} was left as it is: ${a.detail}.`,
  ),
  'session.row-damaged': entry<{ id: number }>(
    'roundtrip',
    (a) => `Exchange ${a.id} is damaged in the session file. Open a copy of the file that was made earlier.`,
  ),
  'session.rows-damaged': entry<{ count: number }>(
    'roundtrip',
    (a) =>
      `${a.count === 1 ? '1 exchange of the session is' : `${a.count} exchanges of the session are`} damaged and ` +
      'left out. ' +
      'Use a copy of the session file that was made earlier to get all of them.',
  ),
  'session.log-damaged': entry(
    'roundtrip',
    () =>
      'The recorder of this session was killed, and the log (-wal) that it left is damaged: the exchanges recorded ' +
      'last may be missing. Open a copy of both files that was made earlier, if there is one.',
  ),
  'session.not-found': entry<{ id: number }>('roundtrip', (a) => `There is no exchange ${a.id} in this session.`),
  'import.failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `${a.path} cannot be imported: ${a.detail}.`,
  ),
  'import.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The import stopped: its session file ${a.path} can’t be written: ${a.detail}.`,
  ),
  'import.unsupported': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `${a.path} cannot be imported: ${a.detail}`,
  ),
  'import.reported-failure': entry<Detail>(
    'upstream',
    (a) => `The imported file says that this exchange failed: ${a.detail}.`,
  ),
  'import.no-response': entry('upstream', () => 'The imported file has no response to this request, and no reason.'),
  'export.failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The export to ${a.path} failed: ${a.detail}.`,
  ),
  'har.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The HAR ${a.path} could not be written: ${a.detail}.`,
  ),
  'body.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The body could not be written to ${a.path}: ${a.detail}. Save it to another place.`,
  ),
  'har.busy': entry('roundtrip', () => 'Another export is running. Wait for it, or cancel it.'),
  'ca.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) =>
      `The CA in ${a.path} cannot be read: ${a.detail}. Restore the file, or make a new CA with roundtrip ca ` +
      'rotate, which keeps the old files.',
  ),
  'ca.changed-on-disk': entry<{ path: string }>(
    'roundtrip',
    (a) =>
      `The CA in ${a.path} is no longer the one in use: another program replaced or damaged it. Restart Roundtrip, ` +
      'or restore the file.',
  ),
  'ca.renewed': entry<{ date: string }>(
    'roundtrip',
    (a) =>
      `The CA was about to expire and was renewed until ${a.date}, with the same key. Install it again in the ` +
      'stores that trust the old one.',
  ),
  'ca.expires-soon': entry<{ date: string }>(
    'roundtrip',
    (a) => `Your own CA expires on ${a.date}. Import its successor, or let Roundtrip make a CA (roundtrip ca rotate).`,
  ),
  'ca.sealed': entry<{ path: string; folder: string }>(
    'roundtrip',
    (a) =>
      `The desktop app sealed the key of its CA in ${a.path} with the system's keychain: the command line signs ` +
      `with another CA, in ${a.folder}. To trust one only, export the app's as PKCS#12 (CA trust, Certificate) and ` +
      'run ROUNDTRIP_PASSPHRASE=... roundtrip ca import FILE.',
  ),
  'ca.import-refused': entry<Detail>('roundtrip', (a) => `This CA can't be used: ${a.detail}.`),
  'ca.export-refused': entry<Detail>('roundtrip', (a) => `The CA can't be exported in this format: ${a.detail}.`),
  'ca.export-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The CA could not be written to ${a.path}: ${a.detail}.`,
  ),
  'ca.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The CA in ${a.path} could not be written: ${a.detail}. The files there are as they were.`,
  ),
  'ca.key-exposed': entry<{ path: string; outcome: string }>(
    'roundtrip',
    (a) =>
      `Other users of this machine could read the CA's key, ${a.path}. ${a.outcome} If you do not trust them, make ` +
      'a new CA (roundtrip ca rotate).',
  ),
  'settings.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) =>
      `The settings in ${a.path} cannot be read: ${a.detail}. Defaults are used; the old file was kept next to it.`,
  ),
  'settings.limits-refused': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) =>
      `Limits in ${a.path} cannot be used: ${a.detail}. The defaults are used instead; a copy of the original file ` +
      'was kept next to it.',
  ),
  'settings.invalid': entry<Detail>('roundtrip', (a) => `That setting can't be used: ${a.detail}.`),
  'capture.not-seen': entry<{ name: string; seconds: number; hint: string }>(
    'client',
    (a) =>
      `${a.name} sent nothing through Roundtrip within ${a.seconds} s. ` +
      `${a.hint || 'Another proxy, a PAC file, a policy or an extension may override its proxy setting.'}`,
  ),
  'capture.not-trusted': entry<{ name: string; detail: string }>(
    'client',
    (a) => `${a.name} uses Roundtrip, but its HTTPS requests fail: ${a.detail}`,
  ),
  'capture.loopback-bypassed': entry<{ name: string }>(
    'client',
    (a) => `${a.name} bypasses Roundtrip for loopback addresses: its requests to localhost are not captured.`,
  ),
  'capture.host-refused': entry<{ name: string; detail: string }>(
    'client',
    (a) => `${a.name} uses Roundtrip, but rejected a certificate. ${a.detail}`,
  ),
  'capture.none-came': entry<{ name: string }>(
    'client',
    (a) =>
      `${a.name} ended without sending a request through Roundtrip: it sent none, or it ignores the proxy ` +
      'variables (see Set up by hand).',
  ),
  'system-proxy.unavailable': entry<Detail>('roundtrip', (a) => `The system's proxy can't be set here: ${a.detail}.`),
  'system-proxy.busy': entry(
    'roundtrip',
    () => "Another instance of Roundtrip is set as the system's proxy. Turn that off there, or quit that instance.",
  ),
  'system-proxy.failed': entry<Detail>(
    'roundtrip',
    (a) =>
      `The system's proxy could not be changed: ${a.detail}. The previous setting is kept, and restored at the ` +
      'next start.',
  ),
  'command-line.not-installed': entry<{ path: string } & Detail>(
    'roundtrip',
    (a) => `The command roundtrip was not installed as ${a.path}: ${a.detail}.`,
  ),
  'terminal.not-found': entry(
    'roundtrip',
    () => 'No terminal was found. Name one in the TERMINAL variable, or use roundtrip record -- command.',
  ),
  'browser.not-found': entry<{ id: string }>('roundtrip', (a) => `No browser ${a.id} was found on this machine.`),
  'browser.start-failed': entry<{ name: string; detail: string }>(
    'roundtrip',
    (a) => `${a.name} could not be started: ${a.detail}.`,
  ),
} as const;
