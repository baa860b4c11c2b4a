import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../files/publish-file.ts';
import type { Environment } from '../run-command.ts';

const BUNDLE = 'node-clients.cjs';

function sameText(file: string, text: string): boolean {
  try {
    return fs.readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}

/**
 * As Node's parser of NODE_OPTIONS reads it (`ParseNodeOptionsEnvVar`): a backslash means itself outside quotes, and
 * escapes in them.
 */
function nodeOptionsWord(text: string): string {
  return /[\s"]/.test(text) ? `"${text.replace(/[\\"]/g, '\\$&')}"` : text;
}

/** The addition to NODE_OPTIONS for a preloaded file. */
export function requireOption(file: string): string {
  return `--require ${nodeOptionsWord(file)}`;
}

/**
 * The user's NODE_OPTIONS, followed by the preloaded module for Node versions that ignore the proxy variables. It is
 * copied into the data folder: no other Node reads our app's archive. Throws if it can't be written.
 */
export function nodeOptions(env: Environment, bundleFolder: string, dataFolder: string): string {
  const file = path.join(dataFolder, BUNDLE);
  const text = fs.readFileSync(path.join(bundleFolder, BUNDLE), 'utf8');
  if (!sameText(file, text)) replaceFile(file, text, 0o644);
  const before = env.NODE_OPTIONS ?? '';
  const option = requireOption(file);
  if (before === '') return option;
  return before.includes(option) ? before : `${before} ${option}`;
}
