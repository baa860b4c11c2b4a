import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SessionFacts } from '../../../electron/session/insight/session-facts.ts';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { pauseAfter } from '../../../renderer/sync/insight-sync.ts';
import { findIn } from '../../../shared/insight/find.ts';
import { FindingsSession } from './findings-session.ts';

/**
 * `node tests/performance/findings/findings-live.ts [--rate 200] [--minutes 10]`: the share of a core that findings
 * take while a session is recorded and a window shows it. The session grows by `rate` exchanges a second, each step
 * reads and analyses it as the reader's thread does, with the window's pauses in between. The pauses are simulated,
 * which takes only seconds.
 */
const { values } = parseArgs({
  options: { rate: { type: 'string', default: '200' }, minutes: { type: 'string', default: '10' } },
});
const rate = Number(values.rate);
const whole = Number(values.minutes) * 60_000;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-findings-'));
const file = path.join(folder, 'session.roundtrip');
const session = new FindingsSession(file);
session.grow(1);
const facts = new SessionFacts(new SessionReader(file));

/** Milliseconds of CPU, and on the clock. */
async function look(): Promise<{ cpu: number; took: number }> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  findIn(await facts.read());
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, took: performance.now() - began };
}

let [elapsed, spent, looks, longest] = [0, 0, 0, 0];
while (elapsed < whole) {
  session.grow(Math.max(1, Math.floor((elapsed / 1000) * rate)));
  const { cpu, took } = await look();
  elapsed += took + pauseAfter(took);
  spent += cpu;
  looks += 1;
  longest = Math.max(longest, cpu);
}
session.close();
fs.rmSync(folder, { recursive: true, force: true });
const share = ((spent / elapsed) * 100).toFixed(2);
console.log(
  `${share} % of a core: ${looks} looks in ${(elapsed / 60_000).toFixed(1)} min, the longest ${longest.toFixed(0)} ms`,
);
