import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkRuns } from '../../../../../electron/session/insight/check-runs.ts';
import type { Budget } from '../../../../../shared/insight/budget/budget.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const NOTHING: Budget = { kind: 'lines', lines: [], times: { minimumMs: 5, minimumShare: 0.05 } };

function har(entries: readonly object[]): string {
  const file = path.join(temporaryFolder(), 'a.har');
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  return file;
}

const GOOD = {
  startedDateTime: '2026-11-20T10:00:00Z',
  request: { method: 'GET', url: 'http://a.test/', headers: [] },
  response: { status: 200, headers: [], content: {} },
};

test('what could not be read of a run is noted: a budget that a part of it meets says little', async () => {
  const source = har([GOOD, {}, {}]);
  const { result } = await checkRuns([source], [source], NOTHING);
  const note = `${source} could not be read in full. entry 2: It has no request. (and 1 more fault)`;
  expect(result).toMatchObject({ ok: true, notes: [note, note] });
});

test('a run of which nothing can be read is bad input, not one within its budget', async () => {
  const source = har([{}]);
  await expect(checkRuns([source], [], NOTHING)).rejects.toMatchObject({
    code: 'import.failed',
    message: `${source} cannot be imported: entry 1: It has no request.`,
  });
  await expect(checkRuns([har([GOOD])], [source], NOTHING)).rejects.toThrow('It has no request');
});
