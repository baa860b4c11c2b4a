import fs from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../../shared/model/settings.ts';

/**
 * The theme in the settings' file, for a window that opens before the host reads the settings. A file that can't be
 * read counts as the default: the host reports it.
 */
export function readTheme(dataFolder: string): Settings['theme'] {
  try {
    const { theme } = JSON.parse(fs.readFileSync(path.join(dataFolder, 'settings.json'), 'utf8'));
    return theme === 'dark' || theme === 'light' ? theme : 'system';
  } catch {
    return 'system';
  }
}
