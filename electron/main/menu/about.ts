import path from 'node:path';
import { app, shell } from 'electron';
import { aboutPanel } from './about-panel.ts';

/** What the system's About panel shows. */
export function setAbout(): void {
  const { electron, chrome, node } = process.versions;
  app.setAboutPanelOptions(aboutPanel(process.platform, { app: app.getVersion(), electron, chrome, node }));
}

/** Opens the licences of third-party code in the program that the system has for text. */
export function showLicences(): void {
  const folder = app.isPackaged ? process.resourcesPath : path.join(app.getAppPath(), 'dist/third-party');
  void shell.openPath(path.join(folder, 'THIRD-PARTY-LICENSES.txt'));
}
