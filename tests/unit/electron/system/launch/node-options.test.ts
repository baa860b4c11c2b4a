import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeOptions, requireOption } from '../../../../../electron/system/launch/node-options.ts';
import { nodeClientsFolder } from '../../../../support/launched-client.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('nodeOptions', () => {
  it('copies the module into the data folder, and again if it differs', async () => {
    const [bundles, data] = [await nodeClientsFolder(), temporaryFolder()];
    const file = path.join(data, 'node-clients.cjs');
    expect(nodeOptions({}, bundles, data)).toBe(`--require ${file}`);
    fs.writeFileSync(file, 'of an older version');
    nodeOptions({}, bundles, data);
    expect(fs.readFileSync(file, 'utf8')).toBe(fs.readFileSync(path.join(bundles, 'node-clients.cjs'), 'utf8'));
  });

  it("comes after the user's own options, once", async () => {
    const [bundles, data] = [await nodeClientsFolder(), temporaryFolder()];
    const first = nodeOptions({ NODE_OPTIONS: '--trace-warnings' }, bundles, data);
    expect(first).toBe(`--trace-warnings --require ${path.join(data, 'node-clients.cjs')}`);
    expect(nodeOptions({ NODE_OPTIONS: first }, bundles, data)).toBe(first);
  });

  it.each(['plain', 'with a blank', 'back\\slash', 'quo"te and \\ blank', "it's"])(
    'names a folder called %s',
    (name) => {
      const folder = path.join(temporaryFolder(), name);
      fs.mkdirSync(folder);
      const file = path.join(folder, 'loaded.cjs');
      fs.writeFileSync(file, 'globalThis.loaded = __filename;');
      const env = { ...process.env, NODE_OPTIONS: requireOption(file) };
      expect(execFileSync(process.execPath, ['-p', 'loaded'], { env, encoding: 'utf8' })).toBe(
        `${fs.realpathSync(file)}\n`,
      );
    },
  );
});
