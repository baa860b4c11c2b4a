import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildNodeClients } from '../../build/node-bundles.ts';
import { clientEnvironment } from '../../electron/system/launch/client-environment.ts';
import type { TestEngine } from './engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A folder with the module that Node programs preload, as `npm run build` makes it. */
export async function nodeClientsFolder(): Promise<string> {
  const folder = temporaryFolder();
  await buildNodeClients(ROOT, folder);
  return folder;
}

/** Shared by launches: a copy of Java's roots takes a second to create. */
export interface LaunchFolders {
  bundleFolder: string;
  dataFolder: string;
  remove(): void;
}

/** For a whole file's tests; call `remove` after them. */
export async function launchFolders(): Promise<LaunchFolders> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-test-launch-'));
  // A blank in its path, as on macOS and under many a Windows user's name.
  const dataFolder = path.join(folder, 'data folder');
  fs.mkdirSync(dataFolder);
  await buildNodeClients(ROOT, folder);
  return { bundleFolder: folder, dataFolder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The whole environment that `record -- command` gives a program that uses this engine. `more`: the user's own
 * variables.
 */
export async function launchedEnvironment(
  { proxy, caPath }: Pick<TestEngine, 'proxy' | 'caPath'>,
  { bundleFolder, dataFolder }: LaunchFolders,
  more: Record<string, string> = {},
): Promise<Record<string, string | undefined>> {
  const env = { ...process.env, ...more };
  return { ...env, ...(await clientEnvironment({ proxyUrl: proxy, caPath, dataFolder, bundleFolder, env })) };
}

/** Runs a program to its end and returns its output; rejects if it fails. */
export async function runLaunched(
  [program = '', ...args]: readonly string[],
  env: Record<string, string | undefined>,
  cwd = temporaryFolder(),
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, cwd });
  return stdout;
}
