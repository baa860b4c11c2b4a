import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { FaultCell } from '../fault-scene.ts';

export const RECORDING: readonly FaultCell[] = [
  {
    state: 'recording',
    fault: 'the session file is removed',
    kept: 'session, HAR',
    printed:
      'The session file {session} was removed. Recording continues in {s-2.roundtrip}, which holds the whole session.',
    exit: 0,
    play: async (scene) => {
      await scene.record();
      for (const end of ['', '-wal', '-shm']) fs.rmSync(scene.session + end, { force: true });
      scene.goesOnIn = path.join(scene.folder, 's-2.roundtrip');
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: 'the session file is removed, and traffic goes on',
    kept: 'session, HAR',
    printed:
      'The session file {session} was removed. Recording continues in {s-2.roundtrip}, which holds the whole session.',
    exit: 0,
    play: async (scene) => {
      await scene.record();
      for (const end of ['', '-wal', '-shm']) fs.rmSync(scene.session + end, { force: true });
      await scene.request();
      await scene.says('Recording continues');
      scene.goesOnIn = path.join(scene.folder, 's-2.roundtrip');
      scene.signal('SIGINT');
      await scene.cli.finished;
    },
  },
  {
    state: 'recording',
    fault: "the session's disk is full",
    kept: 'session, HAR',
    printed:
      'Recording stopped: writing to the session file {session} failed: the disk is full. Traffic ' +
      'continues; unrecorded exchanges wait in memory.\n1 exchange is lost: it is not in the session file.',
    exit: 1,
    needsMount: true,
    play: async (scene) => {
      const disk = scene.mounted('disk', 'size=2m');
      scene.session = path.join(disk, 's.roundtrip');
      await scene.record();
      scene.fill(disk);
      await scene.request();
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: 'the session file is replaced, and its log removed',
    kept: 'session, HAR',
    printed:
      'The session file {session} was replaced by another file, which is left alone. Recording continues in ' +
      '{s-2.roundtrip}, which holds the whole session.',
    exit: 0,
    play: async (scene) => {
      await scene.record();
      scene.goesOnIn = path.join(scene.folder, 's-2.roundtrip');
      const other = `${scene.session}.other`;
      fs.writeFileSync(other, 'This is no session.');
      fs.renameSync(other, scene.session);
      // With the log next to it, SQLite would restore the session.
      for (const end of ['-wal', '-shm']) fs.rmSync(scene.session + end, { force: true });
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: 'the reader of standard output goes away',
    kept: 'session, HAR',
    printed: '',
    exit: 0,
    play: async (scene) => {
      await scene.record();
      scene.cli.child.stdout?.destroy();
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: 'SIGUSR1, which opens the inspector of other Node programs',
    kept: 'session, HAR',
    printed: '',
    exit: 0,
    play: async (scene) => {
      await scene.record();
      scene.signal('SIGUSR1');
      scene.signal('SIGINT');
    },
  },
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(
    (signal): FaultCell => ({
      state: 'recording',
      fault: signal,
      kept: 'session, HAR',
      printed: '',
      exit: 0,
      play: async (scene) => {
        await scene.record();
        scene.signal(signal);
      },
    }),
  ),
  {
    state: 'recording',
    fault: 'SIGKILL',
    kept: 'session',
    printed: '',
    exit: 137,
    play: async (scene) => {
      await scene.record();
      scene.signal('SIGKILL');
    },
  },
  {
    state: 'recording',
    fault: 'the second signal while a command ignores the first one',
    kept: 'HAR',
    printed: '',
    exit: 0,
    play: async (scene) => {
      const up = path.join(scene.folder, 'up');
      scene.command = ['sh', '-c', `trap "" TERM; touch ${up}; while true; do sleep 600; done`];
      scene.start();
      await expect.poll(() => fs.existsSync(up)).toBe(true);
      scene.signal('SIGTERM');
      scene.signal('SIGINT');
    },
  },
  {
    state: 'recording',
    fault: 'a signal while a command runs that ends by it',
    kept: 'HAR',
    printed: '',
    exit: 0,
    play: async (scene) => {
      const up = path.join(scene.folder, 'up');
      scene.command = ['sh', '-c', `touch ${up}; sleep 600; true`];
      scene.start();
      await expect.poll(() => fs.existsSync(up)).toBe(true);
      scene.signal('SIGHUP');
    },
  },
];
