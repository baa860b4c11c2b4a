import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { isAlive } from '../files/is-alive.ts';
import { replaceFile } from '../files/publish-file.ts';

/** Address and token of a running Roundtrip: the content of its file in the data folder. */
const RunningSchema = v.object({
  /** `API_VERSION` of its contract. */
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** `http://127.0.0.1:PORT`. */
  url: v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)),
  token: v.pipe(v.string(), v.minLength(1)),
  /** Milliseconds since the Unix epoch. */
  startedAt: v.number(),
});
export type Running = v.InferOutput<typeof RunningSchema>;

/** Several can run with one data folder: each has its own file. */
function folderOf(dataFolder: string): string {
  return path.join(dataFolder, 'running');
}

function fileOf(dataFolder: string, pid: number): string {
  return path.join(folderOf(dataFolder), `${pid}.json`);
}

/**
 * Announces a running Roundtrip to programs of the same user: only they can read the token (mode 0600). Returns a
 * function that removes the file at the end. Throws what the file system throws.
 */
export function publishRunning(dataFolder: string, running: Running): () => void {
  fs.mkdirSync(folderOf(dataFolder), { recursive: true, mode: 0o700 });
  replaceFile(fileOf(dataFolder, running.pid), `${JSON.stringify(running)}\n`, 0o600);
  return () => forget(dataFolder, running);
}

/** Removes a file, unless another process has taken over its name since. */
export function forget(dataFolder: string, { pid, token }: Running): void {
  const file = fileOf(dataFolder, pid);
  if (read(file)?.token === token) fs.rmSync(file, { force: true });
}

function read(file: string): Running | null {
  try {
    const parsed = v.safeParse(RunningSchema, JSON.parse(fs.readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/**
 * The files whose process exists, latest start first; those of processes that died are removed. A process id may have
 * been given to another program since: only the token, accepted at the address, proves that it is a Roundtrip.
 */
export function listRunning(dataFolder: string): Running[] {
  const folder = folderOf(dataFolder);
  if (!fs.existsSync(folder)) return [];
  const found = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => read(path.join(folder, name)))
    .filter((running) => running !== null);
  for (const running of found) if (!isAlive(running.pid)) forget(dataFolder, running);
  return found.filter(({ pid }) => isAlive(pid)).sort((a, b) => b.startedAt - a.startedAt);
}
