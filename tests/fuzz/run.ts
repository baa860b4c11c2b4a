import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { keep } from './corpus.ts';
import { Heartbeat } from './heartbeat.ts';
import { TARGETS } from './targets.ts';
import type { Told, Work } from './worker.ts';

/**
 * Fuzzes the framers for a time: `npm run fuzz -- --seconds 3600`. An input that violates a property is minimised, kept
 * in tests/fuzz/corpus/, and replayed by the test suite from then on. Jazzer.js would be guided by coverage, but its
 * prebuilt library needs glibc 2.38, and Debian 12 has 2.36.
 */
const USAGE = `npm run fuzz -- [--seconds N] [--target ${TARGETS.map(({ name }) => name).join('|')}] [--seed N]`;

/** A single input takes well under a millisecond; one that takes this long hangs, on the slowest machine too. */
const HANG_MS = 60_000;
const MOST_GROWTH = 48 * 1024 * 1024;

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n${USAGE}\n`);
  process.exit(2);
}

function work(heartbeat: Heartbeat): Work {
  const options = { seconds: { type: 'string' }, target: { type: 'string' }, seed: { type: 'string' } } as const;
  let values: { seconds?: string; target?: string; seed?: string } = {};
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  const seconds = Number(values.seconds ?? 60);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  if (!(seconds > 0) || !Number.isInteger(seed)) refuse('--seconds and --seed take numbers.');
  const targets = [...TARGETS.keys()].filter(
    (place) => values.target === undefined || TARGETS[place]?.name === values.target,
  );
  if (targets.length === 0) refuse(`There is no target ${values.target}.`);
  return { targets, seconds, seed, heartbeat: heartbeat.shared };
}

let failed = false;

function fail(target: string, bytes: Uint8Array, message: string): void {
  failed = true;
  const file = path.relative(process.cwd(), keep(target, bytes));
  const shown = JSON.stringify(Buffer.from(bytes).toString('latin1')).slice(0, 1000);
  process.stdout.write(`\n${target} FAILED: ${message}\n  input: ${shown}\n  kept: ${file}\n`);
}

const heartbeat = new Heartbeat();
const plan = work(heartbeat);
process.stdout.write(`fuzz: ${plan.seconds} s, --seed ${plan.seed}\n`);
const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: plan });

let last = -1;
const watch = setInterval(() => {
  if (heartbeat.count === last) {
    const { target, bytes } = heartbeat.current;
    fail(TARGETS[target]?.name ?? '', bytes, `it hangs: no end after ${HANG_MS / 1000} s`);
    void worker.terminate();
  }
  last = heartbeat.count;
}, HANG_MS);

worker.on('message', (told: Told) => {
  if (told.kind === 'found') {
    fail(told.target, told.bytes, `${told.message} (cut by seed ${told.seed})`);
    return;
  }
  const [early, late] = told.heap;
  for (const line of told.lines) process.stdout.write(`${line}\n`);
  process.stdout.write(`heap: ${Math.round(early / 1024)} KiB early, ${Math.round(late / 1024)} KiB at the end\n`);
  if (early > 0 && late - early > MOST_GROWTH) {
    failed = true;
    process.stdout.write('memory grows with the number of inputs: FAILED\n');
  }
});
worker.on('error', (error) => {
  failed = true;
  process.stdout.write(`the fuzzing thread died: ${error.stack}\n`);
});
worker.on('exit', () => {
  clearInterval(watch);
  process.exit(failed ? 1 : 0);
});
