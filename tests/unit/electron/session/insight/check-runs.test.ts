import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { checkRuns } from '../../../../../electron/session/insight/check-runs.ts';
import type { Budget } from '../../../../../shared/insight/budget/budget.ts';
import { writeSession } from '../../../../performance/window/window-session.ts';
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

/** A session of four exchanges; `sql` damages rows as no program of ours does. */
function damagedSession(sql: string): string {
  const file = path.join(temporaryFolder(), 'a.roundtrip');
  writeSession(file, 4);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}

test('damaged rows of a session are noted, with their number', async () => {
  const source = damagedSession(
    `UPDATE exchange SET row = 'x' WHERE id = 2; UPDATE detail SET row = 'x' WHERE exchange = 3`,
  );
  const { result } = await checkRuns([source], [], NOTHING);
  expect(result.notes).toEqual([
    `${source} could not be read in full. 2 exchanges of the session are damaged and left out. ` +
      'Use a copy of the session file that was made earlier to get all of them.',
  ]);
});

test('a run of which nothing can be read is bad input, not one within its budget', async () => {
  const source = har([{}]);
  await expect(checkRuns([source], [], NOTHING)).rejects.toMatchObject({
    code: 'import.failed',
    message: `${source} cannot be imported: entry 1: It has no request.`,
  });
  await expect(checkRuns([har([GOOD])], [source], NOTHING)).rejects.toThrow('It has no request');
  const damaged = damagedSession("UPDATE exchange SET row = 'x'");
  await expect(checkRuns([damaged], [], NOTHING)).rejects.toMatchObject({ code: 'import.failed' });
});
