import path from 'node:path';
import * as v from 'valibot';
import { readIfThere, writePrivateFile } from '../../commands/private-file.ts';
import { type WindowState, WindowStateSchema } from './window-state.ts';

function fileIn(dataFolder: string): string {
  return path.join(dataFolder, 'window.json');
}

/** Returns null if there is no usable file: the window's position is not important enough for a failure. */
export function readWindowState(dataFolder: string): WindowState | null {
  try {
    const text = readIfThere(fileIn(dataFolder));
    return text === null ? null : v.parse(WindowStateSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

export function writeWindowState(dataFolder: string, state: WindowState): void {
  try {
    writePrivateFile(fileIn(dataFolder), `${JSON.stringify(state)}\n`);
  } catch {
    // A full disk is reported where it matters; the window then opens centered next time.
  }
}
