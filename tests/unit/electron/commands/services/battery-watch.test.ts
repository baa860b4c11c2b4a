import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatteryWatch } from '../../../../../electron/commands/services/battery-watch.ts';
import { DEFAULT_SETTINGS } from '../../../../../shared/model/settings.ts';

const ON = { ...DEFAULT_SETTINGS, busyPoll: true };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched(battery: boolean) {
  const state = { battery, looks: 0, changes: 0 };
  const watch = new BatteryWatch({
    onBattery: () => {
      state.looks += 1;
      return state.battery;
    },
    onChange: () => {
      state.changes += 1;
      watch.effective(ON);
    },
  });
  return { state, watch };
}

describe('busy polling', () => {
  it('is off by default, and then the battery is not looked at', () => {
    const { watch, state } = watched(false);
    expect(watch.effective(DEFAULT_SETTINGS)).toMatchObject({ busyPoll: false });
    vi.advanceTimersByTime(120_000);
    expect(state.looks).toBe(0);
  });

  it('is off on battery, regardless of the setting', () => {
    expect(watched(false).watch.effective(ON)).toEqual(ON);
    expect(watched(true).watch.effective(ON)).toEqual({ ...ON, busyPoll: false });
  });

  it('follows the plug', () => {
    const { watch, state } = watched(false);
    watch.effective(ON);
    vi.advanceTimersByTime(60_000);
    expect(state.changes).toBe(0);
    state.battery = true;
    vi.advanceTimersByTime(30_000);
    expect(state.changes).toBe(1);
    state.battery = false;
    vi.advanceTimersByTime(90_000);
    expect(state.changes).toBe(2);
  });

  it('needs no look once it is switched off or closed', () => {
    const { watch, state } = watched(false);
    watch.effective(ON);
    watch.effective(DEFAULT_SETTINGS);
    watch.effective(ON);
    watch.close();
    const before = state.looks;
    vi.advanceTimersByTime(120_000);
    expect(state.looks).toBe(before);
  });
});
