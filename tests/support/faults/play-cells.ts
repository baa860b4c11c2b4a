import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fakeTimeLibrary } from '../fake-time.ts';
import { canMount, type FaultCell, FaultScene, shellCode } from '../fault-scene.ts';
import { hasProgram } from '../has-program.ts';
import { canMountBlocks } from './block-disk.ts';
import { cellsOf, type FaultState } from './cells.ts';

const CAN_MOUNT_BLOCKS = canMountBlocks();

function canPlay({ needsMount, needsBlockDisk, needsFakeTime, needsPrlimit }: FaultCell): boolean {
  if ((needsMount && !canMount) || (needsPrlimit && !hasProgram('prlimit', '--version'))) return false;
  return (!needsBlockDisk || CAN_MOUNT_BLOCKS) && (!needsFakeTime || fakeTimeLibrary() !== null);
}

/** With the session, one exchange was recorded before the fault. */
function keptOf(scene: FaultScene): FaultCell['kept'] {
  const session = (scene.inSession() ?? 0) > 0;
  const har = scene.inHar() !== null;
  return session ? (har ? 'session, HAR' : 'session') : har ? 'HAR' : 'nothing';
}

/** Processes that a run left behind: all of them know its folder. */
function leftOver(scene: FaultScene): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(scene.folder));
}

/** A test for each cell of docs/faults.md in this state. Each state has a test file, because files run in parallel. */
export function playCells(state: FaultState): void {
  describe('a fault', () => {
    for (const cell of cellsOf(state)) {
      const title = `while ${cell.state}: ${cell.fault}`;
      it.skipIf(!canPlay(cell))(title, { timeout: 180_000 }, async () => {
        const scene = new FaultScene();
        await cell.play(scene);
        const finished = await scene.cli.finished;
        const expected = scene.filled(cell.printed).replaceAll(/^(?=.)/gm, 'roundtrip: ');
        const stderr = finished.stderr.trimEnd();
        expect({ stderr, exit: shellCode(finished) }).toEqual({ stderr: expected, exit: cell.exit });
        expect(leftOver(scene)).toEqual([]);
        expect(keptOf(scene)).toBe(cell.kept);
      });
    }
  });
}
