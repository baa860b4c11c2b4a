import { expect, it } from 'vitest';
import { aboutPanel } from '../../../../../electron/main/menu/about-panel.ts';

const VERSIONS = { app: '1.2.3', electron: '45.4.1', chrome: '150.0.1.2', node: '24.21.0' };
const SHOWN = 'Electron 45.4.1, Chromium 150.0.1.2, Node 24.21.0';

it('names the versions where each system shows them', () => {
  expect(aboutPanel('darwin', VERSIONS)).toMatchObject({ applicationVersion: '1.2.3', version: SHOWN });
  for (const platform of ['linux', 'win32']) expect(aboutPanel(platform, VERSIONS).copyright).toContain(SHOWN);
});
