import fs from 'node:fs';
import { computeArchToTargetNamesMap } from 'app-builder-lib/out/targets/targetFactory.js';
import { Arch } from 'electron-builder';
import { expect, it } from 'vitest';

const config = JSON.parse(fs.readFileSync('build/electron-builder.json', 'utf8'));
type Packager = Parameters<typeof computeArchToTargetNamesMap>[1];
type Platform = Parameters<typeof computeArchToTargetNamesMap>[2];

/** A package gets the native module of the architecture that `npm run dist` was asked for. */
it.each(['mac', 'win', 'linux'])('%s: electron-builder builds the architecture that it is asked for, alone', (name) => {
  const packager = { platformSpecificBuildOptions: config[name] } as Packager;
  for (const arch of [Arch.x64, Arch.arm64]) {
    const built = computeArchToTargetNamesMap(new Map([[arch, []]]), packager, {} as Platform);
    expect([...built].filter(([, targets]) => targets.length > 0).map(([each]) => each)).toEqual([arch]);
  }
});
