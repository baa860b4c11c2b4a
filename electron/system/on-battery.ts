import fs from 'node:fs';
import path from 'node:path';

function attribute(folder: string, name: string): string {
  try {
    return fs.readFileSync(path.join(folder, name), 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Whether a Linux machine runs on its battery, by the kernel's power_supply class (Documentation/ABI/testing/sysfs-class-power).
 * Chromium has no power source for Linux, so Electron's powerMonitor always answers no there. A battery of scope Device is a
 * mouse's or a headset's. False where the folder is missing.
 */
export function onBattery(root = '/sys/class/power_supply'): boolean {
  let supplies: string[];
  try {
    supplies = fs.readdirSync(root).map((name) => path.join(root, name));
  } catch {
    return false;
  }
  return supplies.some(
    (supply) =>
      attribute(supply, 'type') === 'Battery' &&
      attribute(supply, 'scope') !== 'Device' &&
      attribute(supply, 'status') === 'Discharging',
  );
}
