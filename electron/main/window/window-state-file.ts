import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { type WindowState, WindowStateSchema } from './window-state.ts';

export function windowStateFile(dataFolder: string): string {
  return path.join(dataFolder, 'window.json');
}

/** Returns null if there is no usable file: the window's position is not important enough for a failure. */
export function readWindowState(dataFolder: string): WindowState | null {
  try {
    return v.parse(WindowStateSchema, JSON.parse(fs.readFileSync(windowStateFile(dataFolder), 'utf8')));
  } catch {
    return null;
  }
}
