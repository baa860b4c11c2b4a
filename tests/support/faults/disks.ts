import path from 'node:path';
import { expect } from 'vitest';
import type { FaultCell, FaultScene } from '../fault-scene.ts';
import { BlockDisk } from './block-disk.ts';

const LOST = '1 exchange is lost: it is not in the session file.';
const STALLED =
  'Recording stopped: the session file {session} has accepted no writes for 5 s. Its disk hangs, or another ' +
  'program has locked it. Traffic continues; unrecorded exchanges wait in memory.';
const READ_ONLY =
  'Recording stopped: writing to the session file {session} failed: its disk reported an error. It may be full or ' +
  'read-only, or a network drive without shared memory: use a local disk. Traffic continues; unrecorded exchanges ' +
  'wait in memory.';

function sessionDisk(scene: FaultScene): BlockDisk {
  const disk = new BlockDisk(scene.folderNamed('disk'));
  scene.session = path.join(disk.folder, 's.roundtrip');
  return disk;
}

/** Everything is printed by then; the kernel holds a process that waits for a disk. */
async function thawOnceSaid(scene: FaultScene, disk: BlockDisk, line: string): Promise<void> {
  await scene.says(line);
  await expect.poll(() => scene.cli.lines.at(-1) ?? '').toContain('"event":"done"');
  disk.thaw();
}

/** A disk that fails under a file that is open; needs a block device. */
export const DISKS: readonly FaultCell[] = [
  {
    state: 'starting',
    fault: "the session's disk is frozen, and two signals follow; the process goes once the disk answers",
    kept: 'nothing',
    printed:
      'The session file has not opened for 5 s: its disk hangs, or another program locks it. Roundtrip waits for ' +
      'it.\nended by the second signal.',
    exit: 143,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = sessionDisk(scene);
      disk.freeze();
      scene.start();
      await scene.says('has not opened');
      await scene.signalTwice('SIGTERM');
      disk.thaw();
    },
  },
  {
    state: 'recording',
    fault: "the session's disk becomes read-only",
    kept: 'session, HAR',
    printed: `${READ_ONLY}\n${LOST}`,
    exit: 1,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = sessionDisk(scene);
      await scene.record();
      disk.makeReadOnly();
      await scene.request();
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: "the session's disk is frozen; the process goes once the disk answers",
    kept: 'session, HAR',
    printed: `${STALLED}\n${LOST}`,
    exit: 1,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = sessionDisk(scene);
      await scene.record();
      disk.freeze();
      await scene.request();
      await scene.says('Recording stopped');
      scene.signal('SIGINT');
      await thawOnceSaid(scene, disk, 'lost:');
    },
  },
  {
    state: 'finishing',
    fault: "the session's disk becomes read-only",
    kept: 'session, HAR',
    printed: `${READ_ONLY}\n${LOST}`,
    exit: 1,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = sessionDisk(scene);
      await scene.record();
      await scene.whileFinishing(() => disk.makeReadOnly());
    },
  },
  {
    state: 'finishing',
    fault: "the session's disk is frozen; the process goes once the disk answers",
    kept: 'session, HAR',
    printed: `${STALLED}\n${LOST}`,
    exit: 1,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = sessionDisk(scene);
      await scene.record();
      await scene.whileFinishing(() => disk.freeze());
      await thawOnceSaid(scene, disk, 'lost:');
    },
  },
  {
    state: 'finishing',
    fault: "the HAR's disk becomes read-only",
    kept: 'session',
    printed: 'The HAR {har} could not be written: the folder {disk} is read-only. The recording is kept in {session}.',
    exit: 1,
    needsBlockDisk: true,
    play: async (scene) => {
      const disk = new BlockDisk(scene.folderNamed('disk'));
      scene.har = path.join(disk.folder, 'o.har');
      await scene.record();
      await scene.whileFinishing(() => disk.makeReadOnly());
    },
  },
];
