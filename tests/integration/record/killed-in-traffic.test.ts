import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../electron/session/write/session-writer.ts';
import { closing } from '../../support/recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bodyOf } from './traffic.ts';

/** The most that a crash may lose by design, milliseconds. */
const MAY_LOSE = 250;
/** Some two seconds of traffic. */
const LINES = 1000;

/** Starts a recording process, kills it during traffic, and returns the exchanges that were complete. */
async function recordUntilKilled(path: string): Promise<{ id: number; endedBeforeKill: number }[]> {
  const script = join(import.meta.dirname, 'traffic-process.ts');
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended: { id: number; at: number }[] = [];
  let killedAt = 0;
  for await (const line of createInterface(child.stdout)) {
    const [id = 0, at = 0] = line.split(' ').map(Number);
    ended.push({ id, at });
    if (ended.length === LINES) {
      killedAt = Date.now();
      child.kill('SIGKILL');
    }
  }
  if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return ended.map(({ id, at }) => ({ id, endedBeforeKill: killedAt - at }));
}

test('a file killed during traffic opens with everything but the last 250 ms', async () => {
  const path = join(temporaryFolder(), 'killed.roundtrip');
  const ended = await recordUntilKilled(path);
  const due = ended.filter(({ endedBeforeKill }) => endedBeforeKill > MAY_LOSE);
  expect(due.length).toBeGreaterThan(LINES / 4);

  using before = closing(new SessionReader(path));
  const there = new Set(before.it.page(0, 5000).rows.map((row) => row.id));
  expect(due.filter(({ id }) => !there.has(id))).toEqual([]);
  for (const id of there) {
    if (id === 1) continue;
    const body = Buffer.concat([...before.it.bodyPieces(id, 'response')]);
    expect([id, body.equals(bodyOf(id))]).toEqual([id, true]);
    expect(before.it.get(id).response?.body.stored).toBe(body.length);
  }
  expect(before.it.get(1)).toMatchObject({ state: 'open', failure: null });

  const writer = SessionWriter.open(path);
  expect(writer.session.nextExchangeId).toBe(Math.max(...there) + 1);
  // A file left by a crash is read from a copy: the first reader does not see the writer's marks.
  using after = closing(new SessionReader(path));
  expect(after.it.get(1)).toMatchObject({ state: 'failed', failure: { code: 'engine.stopped' } });
  writer.close();
});
