import { app } from 'electron';

/** What the system's About panel shows. */
export function setAbout(): void {
  const { electron, chrome, node } = process.versions;
  app.setAboutPanelOptions({
    applicationName: 'Roundtrip',
    applicationVersion: app.getVersion(),
    copyright:
      '© 2026 The Roundtrip authors. MIT License. Licences of third-party code are in the app’s resources folder.',
    version: `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
  });
}
