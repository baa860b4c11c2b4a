import type { Settings } from '../../../shared/model/settings.ts';

/** Milliseconds between two looks. Electron's events for it exist on macOS alone. */
const INTERVAL = 30_000;

export interface BatteryWatchOptions {
  /** Whether the machine runs on its battery now. */
  onBattery: () => boolean;
  /** The answer is another one; `effective` has to be called again. */
  onChange: () => void;
}

/** Switches busy polling off while the machine runs on its battery. It looks only while the setting is on. */
export class BatteryWatch {
  readonly #options: BatteryWatchOptions;
  #onBattery = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BatteryWatchOptions) {
    this.#options = options;
  }

  /** The settings as the engine gets them. */
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
