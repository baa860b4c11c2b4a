import { app, dialog } from 'electron';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { describe, RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import type { AppLog } from '../trouble/app-log.ts';
import { showFailure } from '../trouble/show-failure.ts';
import { isSignedRelease } from './feed-signature.ts';
import { UpdateOffer } from './update-offer.ts';
import { updateKey } from './update-source.ts';

const DAY = 24 * 60 * 60 * 1000;
/** An installer that never quits the app must not leave it behind without a window. Milliseconds. */
const LONGEST = 30_000;

interface UpdatesOptions {
  log: AppLog;
  /** Whether the user allows automatic update checks. */
  wanted: () => boolean;
  /** Whether a restart now would end a recording. */
  isRecording: () => boolean;
}

/** electron-updater's codes for a file that does not match its feed, or its publisher. */
const TAMPERED = ['ERR_CHECKSUM_MISMATCH', 'ERR_UPDATER_INVALID_SIGNATURE'];

/**
 * Checks for new versions, downloads them, and installs them when the app quits: never before, unless the user asks for
 * it. The feed's signature is checked before the download, and the download against the feed. A build without a feed
 * sends nothing.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #updater: AppUpdater | null = null;
  readonly #offer: UpdateOffer;
  #restarts = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#offer = new UpdateOffer({
      isRecording: options.isRecording,
      ask: async (question) => (await dialog.showMessageBox({ type: 'info', ...question })).response,
      restart: () => {
        this.#restarts = true;
        app.quit();
      },
    });
  }

  /** Checks now and once a day, while the user allows it. */
  begin(): void {
    const look = () => {
      if (this.#options.wanted()) void this.#look().catch((error: unknown) => this.#failed(error, false));
    };
    look();
    setInterval(look, DAY).unref();
  }

  /** The user asked: every outcome is shown. */
  async check(): Promise<void> {
    try {
      if (await this.#look()) return;
      await dialog.showMessageBox({ message: `Roundtrip ${app.getVersion()} is the newest version.` });
    } catch (error) {
      this.#failed(error, true);
    }
  }

  /** Ends the app once everything is closed: as usual, or through the installer, which starts the new version. */
  exit(code: number): void {
    if (!this.#restarts || code !== 0 || this.#updater === null) {
      // What was downloaded is installed within this.
      app.exit(code);
      return;
    }
    app.releaseSingleInstanceLock();
    setTimeout(() => app.exit(code), LONGEST).unref();
    this.#updater.quitAndInstall(true, true);
  }

  /**
   * Resolves with whether there is a new version, which is then downloaded. Rejects with a failure of the catalogue.
   */
  async #look(): Promise<boolean> {
    const key = updateKey();
    const updater = await this.#opened();
    const found = await updater.checkForUpdates().catch((error: unknown) => {
      throw roundtripError('update.check-failed', { detail: describe(error) }, systemCode(error));
    });
    if (!found?.isUpdateAvailable) return false;
    const { version, files } = found.updateInfo;
    const { signature }: UpdateInfo & { signature?: unknown } = found.updateInfo;
    if (!isSignedRelease({ version, files }, signature, key)) throw roundtripError('update.not-signed', { version });
    await updater.downloadUpdate().catch((error: unknown) => {
      const code = systemCode(error);
      if (code !== null && TAMPERED.includes(code)) throw roundtripError('update.tampered', { version }, code);
      throw roundtripError('update.download-failed', { version, detail: describe(error) }, code);
    });
    this.#options.log.info(`Roundtrip ${version} was downloaded and will be installed on quit`);
    void this.#offer.show(version);
    return true;
  }

  /** Loaded by the first check: most runs end before that. */
  async #opened(): Promise<AppUpdater> {
    if (this.#updater !== null) return this.#updater;
    const updaters = await import('electron-updater');
    // Its own choice depends on a file that a deb built from the same folder leaves behind.
    const updater = process.platform === 'linux' ? new updaters.AppImageUpdater() : updaters.autoUpdater;
    const { log } = this.#options;
    updater.autoDownload = false;
    updater.disableWebInstaller = true;
    // electron-updater would send an id of this installation.
    updater.requestHeaders = { 'x-user-staging-id': 'none' };
    updater.logger = {
      info: (what) => log.info(`Update: ${describe(what)}`),
      warn: (what) => log.info(`Update: ${describe(what)}`),
      error: (what) => log.error(`Update: ${describe(what)}`),
    };
    this.#updater = updater;
    return updater;
  }

  /** Without a network, the check fails each day: only requested or important results are shown. */
  #failed(error: unknown, asked: boolean): void {
    const failure =
      error instanceof RoundtripError ? error : roundtripError('update.check-failed', { detail: describe(error) });
    const { code, message } = failure;
    this.#options.log.info(`${code}: ${message}`);
    if (asked || code === 'update.tampered' || code === 'update.not-signed')
      void showFailure('Roundtrip was not updated', failure);
  }
}
