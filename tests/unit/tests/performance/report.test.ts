import { expect, test } from 'vitest';
import type { Entry, Recorded } from '../../../performance/runner/history.ts';
import { missedTargets } from '../../../performance/runner/missed.ts';
import { provenance, withRegion } from '../../../performance/runner/report.ts';
import type { Outcome, Round } from '../../../performance/runner/scenario.ts';
import { slowDownSentence, slowDownTable, wholeCommit } from '../../../performance/runner/slow-down-table.ts';

const MACHINE = { cpu: 'Test CPU', cores: 2, memoryGb: 8, system: 'Linux', node: 'v24', go: 'go1' };

function outcome(name: string, rounds: Readonly<Record<string, readonly Round[]>>): Outcome {
  const results = Object.entries(rounds).map(([contender, each]) => ({ contender, rounds: [...each], failure: null }));
  return { name, title: '', results };
}

function recorded(name: string, commit: string, day = '2026-01-01'): Recorded {
  return { ...outcome(name, {}), commit, day };
}

function entry(...outcomes: Recorded[]): Entry {
  return { date: '2026-01-01T10:00:00Z', machine: MACHINE, outcomes };
}

function cells(table: string): string[][] {
  return table.split('\n').map((line) => line.split('|').map((each) => each.trim()));
}

test('the first table answers from the rounds of each scenario, next to the blind tunnel', () => {
  const page = outcome('page-h1', { direct: [{ load: 1000 }], tunnel: [{ load: 1010 }], roundtrip: [{ load: 1100 }] });
  const one = outcome('h1-one-ordinary', { direct: [{ p50: 100 }], roundtrip: [{ p50: 220 }] });
  const bulk = outcome('download', { direct: [{ bytesPerSecond: 2e9 }], roundtrip: [{ bytesPerSecond: 5e8 }] });
  const [, , ...rows] = cells(slowDownTable([page, one, bulk]));
  expect(rows.map((row) => row.slice(2, 4))).toEqual([
    ['1.10 ±0.00', '1.01 ±0.00'],
    ['+0.12 ms', ''],
    ['0.25 ±0.00 (500 MB/s)', ''],
  ]);
});

test('the first table leaves out scenarios in which Roundtrip has no valid round', () => {
  const page = outcome('page-h1', { direct: [{ load: 1000 }], tunnel: [{ load: 1010 }], roundtrip: [] });
  expect(cells(slowDownTable([page]))).toHaveLength(2);
});

test('one sentence sums up the pages and the single request', () => {
  const pages = [1000, 1150].map((load, at) =>
    outcome(at === 0 ? 'page-h1' : 'page-h2-100ms', { direct: [{ load: 1000 }], roundtrip: [{ load }] }),
  );
  const throughSecondProxy = outcome('page-h1-second', { direct: [{ load: 1000 }], roundtrip: [{ load: 3000 }] });
  const one = outcome('h1-one-ordinary', { direct: [{ p50: 100 }], roundtrip: [{ p50: 220 }] });
  expect(slowDownSentence([...pages, throughSecondProxy, one])).toBe(
    'A page with 1,000 images loads 0 to 15 % slower than without a proxy. A request takes 0.12 ms longer.',
  );
  expect(slowDownSentence([one])).toBe('A request takes 0.12 ms longer.');
});

test('a commit is whole once it measured every scenario of the first table', () => {
  const names = [
    ...['', '-20ms', '-100ms'].flatMap((delay) => [`page-h1${delay}`, `page-h2${delay}`]),
    ...['h1-one-ordinary', 'new-host', 'h1-get-ordinary', 'h2-get-ordinary', 'download', 'upload'],
  ];
  const whole = names.map((name) => recorded(name, 'abc'));
  const older = recorded('h1-delay', 'old');
  expect(wholeCommit([older, ...whole])).toBe('abc');
  expect(wholeCommit([older, ...whole.slice(1), recorded('page-h1', 'old')])).toBeNull();
});

test('missed targets are listed with their causes, met ones are not', () => {
  const hosts = outcome('new-host', { direct: [{ p50: 1000 }], roundtrip: [{ p50: 4000 }] });
  const page = outcome('page-h2', { direct: [{ load: 1000 }], roundtrip: [{ load: 1000 }] });
  const rowOf = ({ target }: { target: { scenario: string; text: string } }) => [target.scenario, target.text];
  const text = missedTargets([hosts, page], rowOf);
  expect(text).toContain('1 of 2 targets are missed.');
  expect(text).toContain('- `new-host`: A new host needs two TLS handshakes');
  expect(text).not.toContain('page-h2');
  expect(missedTargets([page], rowOf)).toBe('All 1 targets are met.');
});

test('only figures of one commit without uncommitted changes are shown without a warning', () => {
  expect(provenance(entry(recorded('page-h1', 'abc'), recorded('page-h2', 'abc')))).toMatch(
    /^Commit abc, 2026-01-01, 2 cores/,
  );
  expect(provenance(entry(recorded('page-h1', 'abc'), recorded('page-h2', 'abc', '2026-01-02')))).toMatch(
    /^One commit, several days: abc, 2026-01-01; abc, 2026-01-02/,
  );
  expect(provenance(entry(recorded('page-h1', 'abc+')))).toContain('Not one clean run');
  expect(provenance(entry(recorded('page-h1', 'abc'), recorded('page-h2', 'def')))).toContain(
    '- commit def, 2026-01-01: `page-h2`',
  );
});

test('what the bench writes replaces what stands between its marks, and nothing else', () => {
  const page =
    'before\n<!-- written by npm run bench: x begin -->\nold\n<!-- written by npm run bench: x end -->\nafter\n';
  const written = withRegion(page, 'x', 'new');
  expect(written).toBe(
    'before\n<!-- written by npm run bench: x begin -->\n\nnew\n\n<!-- written by npm run bench: x end -->\nafter\n',
  );
  expect(withRegion(written, 'x', 'new')).toBe(written);
  expect(() => withRegion('before', 'x', 'new')).toThrow('the page has lost the marks of "x"');
});
