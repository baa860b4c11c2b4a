import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeTimeLibrary } from '../../support/fake-time.ts';
import { canMount, type FaultCell, FaultScene, shellCode } from '../../support/fault-scene.ts';
import { canMountBlocks } from '../../support/faults/block-disk.ts';
import { DISKS } from '../../support/faults/disks.ts';
import { FILES } from '../../support/faults/files.ts';
import { FINISHING } from '../../support/faults/finishing.ts';
import { PROCESS } from '../../support/faults/process.ts';
import { RECORDING } from '../../support/faults/recording.ts';
import { STARTING } from '../../support/faults/starting.ts';
import { THREADS } from '../../support/faults/threads.ts';
import { hasProgram } from '../../support/has-program.ts';

const ALL: readonly FaultCell[] = [...STARTING, ...RECORDING, ...FINISHING, ...DISKS, ...FILES, ...THREADS, ...PROCESS];
/** As docs/faults.md has them. */
const CELLS = (['starting', 'recording', 'finishing'] as const).flatMap((state) =>
  ALL.filter((cell) => cell.state === state),
);
const CAN_MOUNT_BLOCKS = canMountBlocks();
const PAGE = fs.readFileSync(path.resolve('docs/faults.md'), 'utf8');

function rowOf({ state, fault, kept, printed, exit }: FaultCell): string {
  return `| ${state} | ${fault} | ${kept} | ${printed.replaceAll('\n', '<br>') || 'nothing'} | ${exit} |`;
}

function canPlay({ needsMount, needsBlockDisk, needsFakeTime, needsPrlimit }: FaultCell): boolean {
  if ((needsMount && !canMount) || (needsPrlimit && !hasProgram('prlimit', '--version'))) return false;
  return (!needsBlockDisk || CAN_MOUNT_BLOCKS) && (!needsFakeTime || fakeTimeLibrary() !== null);
}

/** With the session, one exchange was recorded before the fault. */
async function keptOf(scene: FaultScene): Promise<FaultCell['kept']> {
  const session = ((await scene.inSession()) ?? 0) > 0;
  const har = scene.inHar() !== null;
  return session ? (har ? 'session, HAR' : 'session') : har ? 'HAR' : 'nothing';
}

/** Processes that a run left behind: all of them know its folder. */
function leftOver(scene: FaultScene): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(scene.folder));
}

describe('a fault', () => {
  for (const cell of CELLS) {
    const title = `while ${cell.state}: ${cell.fault}`;
    it.skipIf(!canPlay(cell))(title, { timeout: 60_000 }, async () => {
      const scene = new FaultScene();
      await cell.play(scene);
      const finished = await scene.cli.finished;
      const expected = scene.filled(cell.printed).replaceAll(/^(?=.)/gm, 'roundtrip: ');
      const stderr = finished.stderr.trimEnd();
      expect({ stderr, exit: shellCode(finished) }).toEqual({ stderr: expected, exit: cell.exit });
      expect(leftOver(scene)).toEqual([]);
      expect(await keptOf(scene)).toBe(cell.kept);
    });
  }
});

it('docs/faults.md holds these cells and no others', () => {
  const rows = PAGE.split('\n').filter((line) => /^\| (?:starting|recording|finishing) \|/.test(line));
  expect(rows).toEqual(CELLS.map(rowOf));
});
