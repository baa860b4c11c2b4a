import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { callHost } from '../../support/call-host.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const entry = (url: string) => ({
  startedDateTime: '2026-11-20T10:00:00.000Z',
  request: { method: 'GET', url, httpVersion: 'HTTP/1.1', headers: [] },
  response: { status: 200, content: { text: 'abc' } },
});

/** A HAR with one good entry and one that can't be imported. */
function writeHar(folder: string): string {
  const file = path.join(folder, 'a.har');
  writeFileSync(file, JSON.stringify({ log: { entries: [entry('https://a.test/x'), entry('blob:x')] } }));
  return file;
}

test('import names each fault, and export reads the result', async () => {
  const folder = temporaryFolder();
  const session = path.join(folder, 'out.roundtrip');
  const imported = await runRoundtrip(['import', writeHar(folder), '--session', session, '--json']);
  expect(imported.exitCode).toBe(1);
  expect(imported.stderr).toContain('a.har: entry 2: Its URL "blob:x" is not an HTTP URL.');
  expect(JSON.parse(imported.stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    ...{ event: 'done', session, exchanges: 1, faults: 1 },
  });
  const exported = await runRoundtrip(['export', session, '--format', 'csv', '--filter', 'host:a.test']);
  expect(exported.exitCode).toBe(0);
  expect(exported.stdout).toContain(',GET,https://a.test/x,200,http/1.1,');
});

test.each([
  [['import', 'a.har'], 'import needs --session OUT'],
  [['export', 'a.har'], 'export needs --format: har, roundtrip, curl, csv'],
  [['export', 'a.har', '--format', 'xls'], '"xls" is not a format'],
  [['export', 'a.har', '--format', 'csv', '--filter', 'size:abc'], '--filter: '],
  [['open'], 'open needs one file'],
  [['sessions', '--prune-over', 'x'], '--prune-over "x" is not a number of MB'],
])('%j: exit 2 and one line', async (args, sentence) => {
  const { exitCode, stderr } = await runRoundtrip(args);
  expect([exitCode, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(sentence);
});

test('open imports a file into the data folder and shows it, and sessions lists it', async () => {
  const cli = new RoundtripCli(['open', writeHar(temporaryFolder()), '--json']);
  await cli.ready();
  await expect.poll(() => cli.lines.length).toBeGreaterThan(1);
  const opened = JSON.parse(cli.lines[1] ?? '');
  expect(opened).toMatchObject({ event: 'opened', exchanges: 1 });
  expect(existsSync(opened.session)).toBe(true);

  const { folder } = cli;
  const listed = await runRoundtrip(['sessions', '--json'], { folder });
  const sessions = listed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(sessions.find(({ path: file }) => file === opened.session)).toMatchObject({
    ...{ name: 'a', exchanges: 1, ended: 'closed' },
  });
  expect(sessions.filter(({ ended }) => ended === 'recording')).toHaveLength(1);

  const again = await runRoundtrip(['open', opened.session, '--json'], { folder });
  expect(JSON.parse(again.stdout)).toMatchObject({ event: 'opened', session: opened.session, pid: opened.pid });
  cli.child.kill('SIGINT');
  expect((await cli.finished).exitCode).toBe(0);
});

test('a damaged session is named where it is read', async () => {
  const folder = temporaryFolder();
  const [har, session] = [path.join(folder, 'many.har'), path.join(folder, 'many.roundtrip')];
  const entries = Array.from({ length: 2000 }, (_each, at) => entry(`https://a.test/${at}`));
  writeFileSync(har, JSON.stringify({ log: { entries } }));
  await runRoundtrip(['import', har, '--session', session]);
  truncateSync(session, Math.floor(statSync(session).size * 0.6));
  const sentence = `${session}: This session file is damaged: `;
  const exported = await runRoundtrip(['export', session, '--format', 'csv']);
  expect([exported.exitCode, exported.stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(exported.stdout).toContain('https://a.test/1');
  const compared = await runRoundtrip(['compare', session, har]);
  expect([compared.exitCode, compared.stderr]).toEqual([0, expect.stringContaining(sentence)]);
});

test('a start deletes sessions as configured and lists them; a start without traffic leaves no session', async () => {
  const folder = temporaryFolder();
  const sessions = path.join(folder, 'sessions');
  mkdirSync(sessions);
  const [old, recent] = [path.join(sessions, 'old.roundtrip'), path.join(sessions, 'recent.roundtrip')];
  for (const session of [old, recent]) await runRoundtrip(['import', writeHar(folder), '--session', session]);
  const month = Date.now() / 1000 - 30 * 24 * 60 * 60;
  utimesSync(old, month, month);
  writeFileSync(
    path.join(folder, 'settings.json'),
    JSON.stringify({ pruning: { olderThanDays: 20, overBytes: null } }),
  );
  const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--data-dir', folder, '--json']);
  const { ui } = await cli.ready();
  expect(cli.stderr).toContain(`deleted ${old} (`);
  expect(await callHost(ui, 'sessions.pruned', {})).toMatchObject({ sessions: [{ path: old, name: 'old' }] });
  cli.child.kill('SIGINT');
  expect((await cli.finished).exitCode).toBe(0);
  expect(readdirSync(sessions).filter((name) => name !== 'names.json')).toEqual(['recent.roundtrip']);
});

test('a session that another process has open is not pruned, and both say so', async () => {
  const data = temporaryFolder();
  const sessions = path.join(data, 'sessions');
  mkdirSync(sessions);
  const [open, unused] = [path.join(sessions, 'open.roundtrip'), path.join(sessions, 'unused.roundtrip')];
  for (const session of [open, unused]) await runRoundtrip(['import', writeHar(data), '--session', session]);
  const prune = (days: string) => runRoundtrip(['sessions', '--prune-older-than', days, '--data-dir', data]);
  // From the first one on, readers of this folder's sessions mark them.
  await prune('99');
  const cli = new RoundtripCli([
    'open',
    open,
    '--port',
    '0',
    '--ui-port',
    '0',
    '--data-dir',
    temporaryFolder(),
    '--json',
  ]);
  await cli.ready();
  await expect.poll(() => cli.lines.length).toBeGreaterThan(1);
  const month = Date.now() / 1000 - 30 * 24 * 60 * 60;
  for (const session of [open, unused]) utimesSync(session, month, month);
  const pruned = await prune('20');
  expect(pruned.stdout).toContain(`removed ${unused}`);
  expect(pruned.stderr).toContain(`The session file ${open} was left as it is: another window or command has it open`);
  expect([existsSync(open), existsSync(unused)]).toEqual([true, false]);

  // A start that prunes reports it too, and the host tells a window.
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ pruning: { olderThanDays: 20, overBytes: null } }));
  const other = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--data-dir', data, '--json']);
  const { ui } = await other.ready();
  expect(other.stderr).toContain(`The session file ${open} was left as it is`);
  const limits = { olderThanDays: 20, overBytes: null };
  expect(await callHost(ui, 'sessions.prunable', limits)).toEqual({ paths: [], inUse: [open] });
  for (const each of [other, cli]) {
    each.child.kill('SIGINT');
    expect((await each.finished).exitCode).toBe(0);
  }
  expect((await prune('20')).stdout).toContain(`removed ${open}`);
});

test('a crashed session with a damaged log is listed as such, and opening it says what may be missing', async () => {
  const data = temporaryFolder();
  const sessions = path.join(data, 'sessions');
  mkdirSync(sessions);
  const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--data-dir', data, '--json']);
  const { ui } = await cli.ready();
  const { sessions: listed } = (await callHost(ui, 'sessions.recent', {})) as { sessions: { path: string }[] };
  const session = listed[0]?.path ?? '';
  cli.child.kill('SIGKILL');
  await cli.finished;
  // A log that begins as SQLite's do, and garbage instead of frames.
  const log = readFileSync(`${session}-wal`);
  writeFileSync(`${session}-wal`, Buffer.concat([log, Buffer.alloc(20_000, 7)]));
  const loss = 'The recorder of this session was killed, and the log (-wal) that it left is damaged';
  const list = await runRoundtrip(['sessions', '--data-dir', data]);
  expect(list.stdout).toContain(', recovered after a crash');
  expect(list.stdout).toContain(loss);
  const exported = await runRoundtrip(['export', session, '--format', 'csv']);
  expect([exported.exitCode, exported.stderr]).toEqual([1, expect.stringContaining(loss)]);
  const again = new RoundtripCli(['record', '--session', session, '--port', '0', '--data-dir', data, '--', 'true']);
  expect((await again.finished).stderr).toContain(loss);
});

test.skipIf(!existsSync('/dev/full')).each(['har', 'csv'])('%s that does not fit: one sentence', async (format) => {
  const source = writeHar(temporaryFolder());
  const { exitCode, stderr } = await runRoundtrip(['export', source, '--format', format], { stdout: '/dev/full' });
  expect(stderr).toContain('roundtrip: The export to standard output failed: the disk is full.\n');
  expect(exitCode).toBe(1);
});
