import type { Settings } from '../../../shared/model/settings.ts';

/** Polling interval in milliseconds. Electron has events for battery power on macOS only. */
const INTERVAL = 30_000;

export interface BatteryWatchOptions {
  /** Whether the machine currently runs on battery. */
  onBattery: () => boolean;
  /** The power source has changed; `effective` must be called again. */
  onChange: () => void;
}

/** Turns busy polling off while the machine runs on battery. Polls only while the setting is on. */
export class BatteryWatch {
  readonly #options: BatteryWatchOptions;
  #onBattery = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BatteryWatchOptions) {
    this.#options = options;
  }

  /** Returns the settings for the engine. */
  effective(settings: Settings): Settings {
    if (!settings.busyPoll) {
      this.close();
      return settings;
    }
    this.#onBattery = this.#options.onBattery();
    this.#timer ??= setInterval(this.#look, INTERVAL).unref();
    return this.#onBattery ? { ...settings, busyPoll: false } : settings;
  }

  readonly #look = (): void => {
    if (this.#options.onBattery() !== this.#onBattery) this.#options.onChange();
  };

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
