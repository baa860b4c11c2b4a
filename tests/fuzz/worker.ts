import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { corpusOf } from './corpus.ts';
import { Explorer, type Found, failure } from './explore.ts';
import { Heartbeat } from './heartbeat.ts';
import { minimise } from './minimise.ts';
import { Random } from './random.ts';
import { TARGETS } from './targets.ts';

/** The thread's configuration. `targets`: places in TARGETS. */
export interface Work {
  targets: readonly number[];
  seconds: number;
  seed: number;
  heartbeat: SharedArrayBuffer;
}

/** What it reports. `heap`: bytes in use after a collection, at a fifth of the time and at the end. */
export type Told =
  | { kind: 'found'; target: string; bytes: Uint8Array; seed: number; message: string }
  | { kind: 'over'; lines: string[]; heap: readonly [early: number, late: number] };

/** How long one target runs before the next has its turn, milliseconds. */
const SLICE_MS = 100;

/** A fault that only some cuts show may need other seeds: this many are tried with each smaller input. */
const TRIES = 12;

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

const { targets, seconds, seed, heartbeat: shared } = workerData as Work;
const heartbeat = new Heartbeat(shared);
const tell = (told: Told): void => parentPort?.postMessage(told);

async function report(place: number, found: Found): Promise<void> {
  const target = TARGETS[place];
  if (!target) return;
  const seeds = new Random(found.seed);
  const tried = [found.seed, ...Array.from({ length: TRIES }, () => seeds.below(2 ** 32))];
  const fails = async (bytes: Buffer): Promise<boolean> => {
    heartbeat.beat(place, bytes);
    for (const each of tried) if (await failure(target, bytes, each)) return true;
    return false;
  };
  const bytes = await minimise(found.bytes, fails);
  for (const each of tried) {
    const error = await failure(target, bytes, each);
    if (!error) continue;
    const message = error.name === 'Violation' ? error.message : (error.stack ?? error.message);
    tell({ kind: 'found', target: target.name, bytes, seed: each, message });
    return;
  }
}

const explorers = new Map(
  targets.map((place) => {
    const target = TARGETS[place];
    if (!target) throw new Error(`there is no target ${place}`);
    const kept = corpusOf(target.name).map(({ bytes }) => bytes);
    return [place, new Explorer(target, kept, seed + place)] as const;
  }),
);
const going = new Set(targets);
const startedAt = performance.now();
const elapsed = (): number => (performance.now() - startedAt) / 1000;
let early = 0;
while (elapsed() < seconds && going.size > 0) {
  for (const place of going) {
    for (const until = performance.now() + SLICE_MS; performance.now() < until; ) {
      const found = await explorers.get(place)?.next((bytes) => heartbeat.beat(place, bytes));
      if (!found) continue;
      // One fault hides the others of its target, and is found repeatedly: it is fixed first.
      going.delete(place);
      await report(place, found);
      break;
    }
  }
  if (early === 0 && elapsed() > seconds / 5) early = heapInUse();
}
const lines = [...explorers].map(
  ([place, { runs, outcomes }]) => `${TARGETS[place]?.name}: ${runs} inputs, ${outcomes} outcomes`,
);
tell({ kind: 'over', lines, heap: [early, heapInUse()] });
