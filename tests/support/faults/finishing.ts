import fs from 'node:fs';
import path from 'node:path';
import type { FaultCell } from '../fault-scene.ts';

/** The session holds what was recorded; only the HAR is missing. */
const NO_HAR = { state: 'finishing', kept: 'session', exit: 1 } as const;

export const FINISHING: readonly FaultCell[] = [
  {
    ...NO_HAR,
    fault: "the HAR's disk is full",
    printed: 'The HAR {har} could not be written: the disk is full. The recording is kept in {session}.',
    needsMount: true,
    play: async (scene) => {
      const disk = scene.mounted('disk', 'size=64k');
      scene.har = path.join(disk, 'o.har');
      await scene.record();
      scene.fill(disk);
      scene.signal('SIGINT');
    },
  },
  {
    ...NO_HAR,
    fault: "the HAR's folder went away",
    printed:
      'The HAR {har} could not be written: the folder {gone} does not exist. The recording is kept in {session}.',
    play: async (scene) => {
      scene.har = path.join(scene.folderNamed('gone'), 'o.har');
      await scene.record();
      fs.rmdirSync(path.dirname(scene.har));
      scene.signal('SIGINT');
    },
  },
  {
    ...NO_HAR,
    fault: "the HAR's name became a folder's",
    printed: 'The HAR {har} could not be written: a folder has that name. The recording is kept in {session}.',
    play: async (scene) => {
      await scene.record();
      fs.mkdirSync(scene.har);
      scene.signal('SIGINT');
    },
  },
];
