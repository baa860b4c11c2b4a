import { app, Menu, nativeImage, Tray } from 'electron';
import type { SystemProxyStatus } from '../../shared/model/proxy/system-proxy.ts';

interface TrayActions {
  show: () => void;
  turnOff: () => void;
}

/** macOS and Linux scale it by themselves; Windows shows 16 pixels at 100 %. */
const SIZE = process.platform === 'win32' ? 16 : 22;

/**
 * An icon in the system's tray while the system's proxy is Roundtrip: then other programs depend on it, even if its
 * window is closed or behind others. A desktop without a tray shows nothing; the window's banner is there anyway.
 */
export class SystemProxyTray {
  readonly #icon: string;
  readonly #actions: TrayActions;
  #tray: Tray | null = null;

  /** `icon`: the path of a picture. */
  constructor(icon: string, actions: TrayActions) {
    this.#icon = icon;
    this.#actions = actions;
  }

  follow({ state, label }: SystemProxyStatus): void {
    if (state !== 'on') {
      this.#tray?.destroy();
      this.#tray = null;
      return;
    }
    if (this.#tray !== null) return;
    const { show, turnOff } = this.#actions;
    this.#tray = new Tray(nativeImage.createFromPath(this.#icon).resize({ width: SIZE, height: SIZE }));
    this.#tray.setToolTip(`The ${label} proxy is set to Roundtrip`);
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: `The ${label} proxy is set to Roundtrip`, enabled: false },
        { label: 'Turn It Off', click: turnOff },
        { label: 'Show Roundtrip', click: show },
        { type: 'separator' },
        { label: 'Quit', click: () => app.quit() },
      ]),
    );
    this.#tray.on('click', show);
  }
}
