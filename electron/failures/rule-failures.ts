import { entry } from './entry.ts';

interface Faulty {
  path: string;
  count: number;
  /** The first fault: `12:5: what`. */
  first: string;
}

/** Faults of rules files. */
export const RULE_FAILURES = {
  'rules.invalid': entry<Faulty>(
    'roundtrip',
    (a) =>
      `The rules in ${a.path} have ${a.count === 1 ? '1 fault' : `${a.count} faults`} and are not used; earlier ` +
      `rules stay in use. First: ${a.first}`,
  ),
  'rules.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The rules file ${a.path} cannot be read: ${a.detail}.`,
  ),
  'rules.refused': entry<{ detail: string }>('roundtrip', (a) => `These rules can't be used: ${a.detail}`),
  'rules.changed-on-disk': entry<{ path: string }>(
    'roundtrip',
    (a) =>
      `The rules file ${a.path} was changed by another program meanwhile. Its rules are shown now; make the change ` +
      'again.',
  ),
  'rules.script-failed': entry<{ name: string; detail: string }>(
    'roundtrip',
    (a) => `The script of the rule "${a.name}" failed, and the message passed without its changes: ${a.detail}.`,
  ),
  'rules.not-importable': entry<{ name: string; detail: string }>(
    'roundtrip',
    (a) =>
      `The rules of ${a.name} can't be imported: ${a.detail}. Use an .htkrules file or a config.yaml of mitmproxy.`,
  ),
  'rules.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The rules could not be written to ${a.path}: ${a.detail}. The previous rules stay in use.`,
  ),
  'rules.not-held': entry('roundtrip', () => 'This message is no longer held: it was released, or its rule is off.'),
  'rules.release-refused': entry<{ detail: string }>(
    'roundtrip',
    (a) => `The held message can't be sent like this: ${a.detail}`,
  ),
} as const;
