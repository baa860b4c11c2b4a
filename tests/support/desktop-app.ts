import path from 'node:path';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { bundlesFor, ELECTRON } from './desktop-bundles.ts';
import { launchElectron } from './launch-electron.ts';
import type { XDisplay } from './x-display.ts';

export interface DesktopApp {
  app: ElectronApplication;
  window: Page;
  /** The proxy's URL, as its window shows it. */
  proxy: string;
}

/** The desktop app for the tests of one file, with its data in `folder`/data. Builds its bundles once. */
export class DesktopStarter {
  readonly executable = path.join(ELECTRON ?? '', 'electron');
  readonly #main: string;
  readonly #data: string;
  readonly #display: XDisplay;

  constructor(folder: string, display: XDisplay) {
    this.#main = path.join(bundlesFor(folder), 'main.cjs');
    this.#data = `--data-dir=${path.join(folder, 'data')}`;
    this.#display = display;
  }

  get args(): string[] {
    return [this.#main, '--no-sandbox', '--disable-gpu', this.#data, '--port=0'];
  }

  get env(): Record<string, string> {
    return { ...(process.env as Record<string, string>), DISPLAY: this.#display.name };
  }

  /** Resolves once the app runs. */
  launch({
    more = [],
    env = {},
  }: {
    more?: string[];
    env?: Record<string, string>;
  } = {}): Promise<ElectronApplication> {
    const options = {
      executablePath: this.executable,
      args: [...this.args, ...more],
      env: { ...this.env, ...env, DISPLAY: this.#display.name },
    };
    return launchElectron(options, this.#data);
  }

  /** Resolves once the window shows the proxy's URL. `launched` runs before that, and is waited for. */
  async start(
    options: { more?: string[]; env?: Record<string, string> } = {},
    launched: (app: ElectronApplication) => void | Promise<void> = () => {},
  ): Promise<DesktopApp> {
    const app = await this.launch(options);
    await launched(app);
    const window = await app.firstWindow();
    const address = window.getByText(/^http:\/\/127\.0\.0\.1:\d+$/).first();
    await expect(address).toBeVisible();
    return { app, window, proxy: (await address.textContent()) ?? '' };
  }
}
