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
 * Whether a Linux machine runs on battery, according to the kernel's power_supply class
 * (Documentation/ABI/testing/sysfs-class-power). Electron's powerMonitor always returns false on Linux, because
 * Chromium does not read the power source there. A battery with scope Device belongs to a mouse or headset. False
 * without the folder.
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
