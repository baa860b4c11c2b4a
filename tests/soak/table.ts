import type { HarOutcome } from './har-check.ts';
import type { Block } from './plan.ts';
import type { MemoryLook } from './watched-process.ts';

/** The figures at the end of a block of exchanges. */
export interface Sample extends Block {
  memory: MemoryLook;
  descriptors: number;
  /** Rows that the window had not got yet. */
  rowsBehind: number;
  /** Of the session file. */
  fileBytes: number;
}

const COLUMNS: readonly [head: string, width: number][] = [
  ['exchanges', 10],
  ['a second', 9],
  ['MB', 6],
  ['peak MB', 8],
  ['descriptors', 12],
  ['p99 h1 ms', 10],
  ['h2', 7],
  ['websocket', 10],
  ['sse', 7],
  ['errors', 7],
  ['rows behind', 12],
  ['file MB', 8],
];

export const HEAD = line(COLUMNS.map(([head]) => head));

function line(cells: readonly string[]): string {
  return cells.map((cell, index) => cell.padStart(COLUMNS[index]?.[1] ?? 0)).join(' ');
}

export function megabytes(bytes: number): number {
  return bytes / 1e6;
}

export function lineOf(sample: Sample): string {
  const { done, seconds, memory, descriptors, p99, errors, rowsBehind, fileBytes } = sample;
  return line([
    done.toLocaleString('en'),
    (sample.count / seconds).toFixed(0),
    megabytes(memory.median).toFixed(0),
    megabytes(memory.peak).toFixed(0),
    String(descriptors),
    p99.h1.toFixed(1),
    p99.h2.toFixed(1),
    p99.websocket.toFixed(1),
    p99.sse.toFixed(1),
    String(errors),
    String(rowsBehind),
    megabytes(fileBytes).toFixed(0),
  ]);
}

export function harLine({ seconds, bytes, entries, memory }: HarOutcome): string {
  const peak = megabytes(Math.max(...memory)).toFixed(0);
  const size = megabytes(bytes).toFixed(0);
  return `HAR: ${entries.toLocaleString('en')} entries, ${size} MB in ${seconds.toFixed(1)} s, peak ${peak} MB`;
}
