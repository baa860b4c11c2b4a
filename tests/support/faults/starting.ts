import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { FaultCell } from '../fault-scene.ts';

/** Before anything is recorded: each is detected at once, and nothing is left behind. */
const BEFORE = { state: 'starting', kept: 'nothing', exit: 1 } as const;

export const STARTING: readonly FaultCell[] = [
  {
    ...BEFORE,
    fault: "the HAR's folder does not exist",
    printed: 'The HAR {har} could not be written: the folder {none} does not exist.',
    play: (scene) => {
      scene.har = path.join(scene.folder, 'none', 'o.har');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the HAR's name is a folder's",
    printed: 'The HAR {har} could not be written: a folder has that name.',
    play: (scene) => {
      scene.har = scene.folderNamed('o');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the HAR's folder is read-only",
    printed: 'The HAR {har} could not be written: the folder {ro} is read-only.',
    needsMount: true,
    play: (scene) => {
      scene.har = path.join(scene.mounted('ro', 'ro'), 'o.har');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the HAR's name is the session's",
    printed: 'The HAR {har} could not be written: it is a file of the session.',
    play: (scene) => {
      scene.har = scene.session;
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'the session is a pipe',
    printed: 'The session file {session} cannot be opened: it is not a regular file.',
    play: (scene) => {
      execFileSync('mkfifo', [scene.session]);
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'the session is a folder',
    printed: 'The session file {session} cannot be opened: a folder has that name.',
    play: (scene) => {
      fs.mkdirSync(scene.session);
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'the session file is not a session',
    printed: 'The session file {session} cannot be opened: it is not a session file.',
    play: (scene) => {
      fs.writeFileSync(scene.session, 'a text of more than sixteen bytes'.repeat(100));
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the session's folder is read-only",
    printed: 'The session file {session} cannot be opened: the folder {ro} is read-only.',
    needsMount: true,
    play: (scene) => {
      scene.session = path.join(scene.mounted('ro', 'ro'), 's.roundtrip');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the session's disk is full",
    printed: 'The session file {session} cannot be opened: the disk is full.',
    needsMount: true,
    play: (scene) => {
      const disk = scene.mounted('disk', 'size=64k');
      scene.fill(disk);
      scene.session = path.join(disk, 's.roundtrip');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: "the data folder's disk is full",
    printed: 'The CA in {data} could not be written: the disk is full. The files there are as they were.',
    needsMount: true,
    play: (scene) => {
      scene.fill(scene.mounted('data', 'size=64k'));
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'the data folder is read-only',
    printed: 'The CA in {data} could not be written: the folder {data} is read-only. The files there are as they were.',
    needsMount: true,
    play: (scene) => {
      scene.mounted('data', 'ro');
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'the CA bundle for the command cannot be written',
    printed: 'The files for the command could not be written in {data}: a folder has that name.',
    play: (scene) => {
      fs.mkdirSync(path.join(scene.data, 'ca-bundle.crt'), { recursive: true });
      scene.command = ['true'];
      scene.start();
    },
  },
  {
    ...BEFORE,
    fault: 'another Roundtrip records into the session',
    printed: 'The session file {session} cannot be opened: another Roundtrip is recording into it.',
    play: async (scene) => {
      const first = scene.start();
      await first.ready();
      scene.har = path.join(scene.folder, 'second.har');
      const second = scene.start();
      await second.finished;
      first.child.kill('SIGKILL');
      await first.finished;
    },
  },
];
