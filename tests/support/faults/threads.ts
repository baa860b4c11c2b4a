import { expect } from 'vitest';
import type { FaultCell, FaultScene } from '../fault-scene.ts';
import { breakableDist, killThread, orderDeath, type ThreadName } from './broken-threads.ts';

const HELPER = 'A Roundtrip thread died: {what} (told to die). It restarts when needed; traffic continues.';
const helper = (what: string) => HELPER.replace('{what}', what);

interface Death {
  thread: ThreadName;
  called: string;
  recording: string;
  finishing: string;
}

const WRITER =
  'Recording stopped: the thread that writes the session file died (told to die). It is being restarted; ' +
  'unrecorded exchanges wait in memory.';
const READER = helper('the one that reads the session file');
const CHECKPOINTS = helper('the one that takes checkpoints of the session file; its writer does that meanwhile');

const DEATHS: readonly Death[] = [
  {
    thread: 'engine',
    called: 'engine',
    recording: "The proxy's thread died (told to die) and was restarted. The session file is intact.",
    finishing:
      "The proxy's thread died (told to die) while it was stopping. Exchanges that were under way may be incomplete.",
  },
  { thread: 'session-writer', called: 'session writer', recording: WRITER, finishing: WRITER },
  { thread: 'session-reader', called: 'session reader', recording: READER, finishing: READER },
  { thread: 'checkpoint', called: 'checkpoint', recording: CHECKPOINTS, finishing: CHECKPOINTS },
];

/** Everything is kept: a thread that died is started again, and gets what its predecessor had not done. */
const WHOLE = { kept: 'session, HAR', exit: 0 } as const;

async function recordBreakable(scene: FaultScene): Promise<void> {
  scene.dist = breakableDist(scene.folder);
  await scene.record();
}

export const THREADS: readonly FaultCell[] = DEATHS.flatMap(({ thread, called, recording, finishing }): FaultCell[] => [
  {
    ...WHOLE,
    state: 'recording',
    fault: `the ${called} thread dies`,
    printed: recording,
    play: async (scene) => {
      await recordBreakable(scene);
      await killThread(scene.dist, thread);
      await scene.says('(told to die)');
      // The next life of the engine listens on the same port, a moment later.
      await scene.listensAgain();
      await scene.request();
      scene.signal('SIGINT');
      expect((await scene.cli.finished).exitCode).toBe(0);
      expect(scene.inHar()).toBe(2);
    },
  },
  {
    ...WHOLE,
    state: 'finishing',
    fault: `the ${called} thread dies`,
    printed: finishing,
    play: async (scene) => {
      await recordBreakable(scene);
      await scene.whileFinishing(() => orderDeath(scene.dist, thread));
    },
  },
]);
