interface Versions {
  app: string;
  electron: string;
  chrome: string;
  node: string;
}

/** For Electron's `setAboutPanelOptions`. Only macOS shows the field `version`. */
export function aboutPanel(platform: string, { app, electron, chrome, node }: Versions) {
  const version = `Electron ${electron}, Chromium ${chrome}, Node ${node}`;
  const copyright = '© 2026 The Roundtrip authors. MIT License. Help, Licences, has those of third-party code.';
  const panel = { applicationName: 'Roundtrip', applicationVersion: app };
  return platform === 'darwin'
    ? { ...panel, version, copyright }
    : { ...panel, copyright: `${version}\n\n${copyright}` };
}
