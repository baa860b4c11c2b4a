import fs from 'node:fs';
import path from 'node:path';
import type { FaultCell, FaultScene } from '../fault-scene.ts';

const MOVED = { kept: 'session, HAR', exit: 0 } as const;
const GOES_ON = 'Recording continues in {s-2.roundtrip}, which holds the whole session.';
const CUT = `The session file {session} was damaged by another program. ${GOES_ON}`;
const LOG =
  'The session file {session} was damaged by another program. Recording continues in {s-2.roundtrip}, which holds ' +
  'what could still be read. The damaged file may hold more.';
const FULL =
  'Recording stopped: writing to the session file {session} failed: the disk is full. Traffic continues; ' +
  'unrecorded exchanges wait in memory.\n1 exchange is lost: it is not in the session file.';
const REMOVED = `The session file {session} was removed. ${GOES_ON}`;

function moves(scene: FaultScene): void {
  scene.goesOnIn = path.join(scene.folder, 's-2.roundtrip');
}

/** What other programs do to the session file, in addition to recording.ts. */
export const FILES: readonly FaultCell[] = [
  {
    ...MOVED,
    state: 'recording',
    fault: 'the session file is truncated',
    printed: CUT,
    play: async (scene) => {
      await scene.record();
      fs.truncateSync(scene.session, 0);
      moves(scene);
      scene.signal('SIGINT');
    },
  },
  {
    ...MOVED,
    state: 'recording',
    fault: "the session's log (-wal) is truncated; what is not read any more counts as lost",
    printed: LOG,
    exit: 1,
    play: async (scene) => {
      await scene.record();
      fs.truncateSync(`${scene.session}-wal`, 0);
      moves(scene);
      scene.signal('SIGINT');
    },
  },
  {
    ...MOVED,
    state: 'finishing',
    fault: "the session's log (-wal) is overwritten; what is not read any more counts as lost",
    printed: LOG,
    exit: 1,
    play: async (scene) => {
      await scene.record();
      const log = `${scene.session}-wal`;
      await scene.whileFinishing(() => fs.writeFileSync(log, Buffer.alloc(fs.statSync(log).size, 7), { flag: 'r+' }));
      moves(scene);
    },
  },
  {
    ...MOVED,
    state: 'finishing',
    fault: 'the session file is truncated',
    printed: CUT,
    play: async (scene) => {
      await scene.record();
      await scene.whileFinishing(() => fs.truncateSync(scene.session, 0));
      moves(scene);
    },
  },
  {
    ...MOVED,
    state: 'finishing',
    fault: 'the session file is replaced, and its log removed',
    printed: `The session file {session} was replaced by another file, which is left alone. ${GOES_ON}`,
    play: async (scene) => {
      await scene.record();
      await scene.whileFinishing(() => {
        const other = `${scene.session}.other`;
        fs.writeFileSync(other, 'This is no session.');
        fs.renameSync(other, scene.session);
        for (const end of ['-wal', '-shm']) fs.rmSync(scene.session + end, { force: true });
      });
      moves(scene);
    },
  },
  {
    state: 'finishing',
    fault: "the session's disk is full",
    kept: 'session, HAR',
    printed: FULL,
    exit: 1,
    needsMount: true,
    play: async (scene) => {
      const disk = scene.mounted('disk', 'size=2m');
      scene.session = path.join(disk, 's.roundtrip');
      await scene.record();
      await scene.whileFinishing(() => scene.fill(disk));
    },
  },
  {
    ...MOVED,
    state: 'finishing',
    fault: 'the session file is removed',
    printed: REMOVED,
    play: async (scene) => {
      await scene.record();
      await scene.whileFinishing(() => {
        for (const end of ['', '-wal', '-shm']) fs.rmSync(scene.session + end, { force: true });
      });
      moves(scene);
    },
  },
];
