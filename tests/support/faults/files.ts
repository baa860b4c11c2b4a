import fs from 'node:fs';
import path from 'node:path';
import type { FaultCell, FaultScene } from '../fault-scene.ts';

const MOVED = { kept: 'session, HAR', exit: 0 } as const;
const GOES_ON = 'Recording continues in {s-2.roundtrip}, which holds the whole session.';
const CUT = `The session file {session} was damaged by another program, and is left as it is. ${GOES_ON}`;
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
