import type { FaultCell } from '../fault-scene.ts';
import { DISKS } from './disks.ts';
import { FILES } from './files.ts';
import { FINISHING } from './finishing.ts';
import { PROCESS } from './process.ts';
import { RECORDING } from './recording.ts';
import { STARTING } from './starting.ts';
import { THREADS } from './threads.ts';

const ALL: readonly FaultCell[] = [...STARTING, ...RECORDING, ...FINISHING, ...DISKS, ...FILES, ...THREADS, ...PROCESS];

export type FaultState = FaultCell['state'];

export function cellsOf(state: FaultState): FaultCell[] {
  return ALL.filter((cell) => cell.state === state);
}
