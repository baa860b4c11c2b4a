import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { onBattery } from '../../../../electron/system/on-battery.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MAINS = { type: 'Mains', online: '0' };

function supplies(...all: Record<string, string>[]): string {
  const root = temporaryFolder();
  for (const [index, attributes] of all.entries()) {
    const folder = path.join(root, `supply${index}`);
    fs.mkdirSync(folder);
    for (const [name, value] of Object.entries(attributes)) fs.writeFileSync(path.join(folder, name), `${value}\n`);
  }
  return root;
}

describe('a machine runs on its battery', () => {
  it.each([
    [true, [MAINS, { type: 'Battery', status: 'Discharging', scope: 'System' }]],
    [
      true,
      [
        { type: 'Battery', status: 'Full' },
        { type: 'Battery', status: 'Discharging' },
      ],
    ],
    [
      false,
      [
        { type: 'Mains', online: '1' },
        { type: 'Battery', status: 'Charging' },
      ],
    ],
    [false, [{ type: 'Battery', status: 'Not charging' }]],
    [false, [{ type: 'Battery', status: 'Discharging', scope: 'Device' }]],
    [false, [{ type: 'Mains', online: '1' }]],
    [false, []],
  ])('%s: %j', (expected, all) => {
    expect(onBattery(supplies(...(all as Record<string, string>[])))).toBe(expected);
  });

  it('is false if the kernel names no supplies', () => {
    expect(onBattery(path.join(temporaryFolder(), 'missing'))).toBe(false);
  });
});
