import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface ServedHost {
  proxy: string;
  ui: string;
  /** Of our CA's certificate. */
  caPath: string;
  /** Of our CA, for a browser that should trust it but is otherwise unchanged. */
  spki: string;
  close(): Promise<void>;
}

/** The built headless host as a separate process, on free ports, with its own data folder. */
export function serveHost(...options: string[]): Promise<ServedHost> {
  return serveHostIn({}, ...options);
}

/** With `env` laid over our environment. */
export async function serveHostIn(env: Record<string, string>, ...options: string[]): Promise<ServedHost> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-e2e-'));
  const args = ['serve', '--port', '0', '--ui-port', '0', '--data-dir', folder, '--json', ...options];
  const child: ChildProcess = spawn(
    path.join(ROOT, 'node_modules/.bin/node'),
    [path.join(ROOT, 'dist/cli.cjs'), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    },
  );
  if (!child.stdout) throw new Error('no stdout');
  const lines = readline.createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`roundtrip serve ended with ${code}`)));
  });
  const ready = JSON.parse(first) as { proxy: string; ui: string; ca: string };
  const key = new X509Certificate(fs.readFileSync(ready.ca)).publicKey.export({ type: 'spki', format: 'der' });
  return {
    proxy: ready.proxy,
    ui: ready.ui,
    caPath: ready.ca,
    spki: createHash('sha256').update(key).digest('base64'),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
