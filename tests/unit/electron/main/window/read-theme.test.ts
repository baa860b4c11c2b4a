import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readTheme } from '../../../../../electron/main/window/read-theme.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

it.each([
  ['dark', '{"theme":"dark","recording":true}'],
  ['light', '{"theme":"light"}'],
  ['system', '{"theme":"system"}'],
  ['system', '{"theme":"sepia"}'],
  ['system', 'null'],
  ['system', '{"theme":"da'],
  ['system', null],
])('is %s with the settings %s', (theme, settings) => {
  const folder = temporaryFolder();
  if (settings !== null) fs.writeFileSync(path.join(folder, 'settings.json'), settings);
  expect(readTheme(folder)).toBe(theme);
});
