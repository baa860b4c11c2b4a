import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { DIST } from '../roundtrip-cli.ts';

const THREADS = ['engine', 'session-writer', 'checkpoint', 'session-reader'] as const;
export type ThreadName = (typeof THREADS)[number];

const order = (dist: string, name: ThreadName) => path.join(dist, `${name}-dies`);

/** A copy of the built command line in `folder`, whose threads throw when they are ordered to. */
export function breakableDist(folder: string): string {
  const dist = path.join(folder, 'dist');
  fs.cpSync(DIST, dist, { recursive: true });
  for (const name of THREADS) {
    const script = `
      const fs = require('node:fs');
      setInterval(() => {
        if (!fs.existsSync(${JSON.stringify(order(dist, name))})) return;
        fs.rmSync(${JSON.stringify(order(dist, name))});
        throw new Error('told to die');
      }, 20).unref();
      require(${JSON.stringify(path.join(DIST, `${name}-thread.cjs`))});
    `;
    fs.writeFileSync(path.join(dist, `${name}-thread.cjs`), script);
  }
  return dist;
}

/** The thread throws within 20 ms in which it runs. */
export function orderDeath(dist: string, name: ThreadName): void {
  fs.writeFileSync(order(dist, name), '');
}

/** Resolves when the thread has thrown. */
export async function killThread(dist: string, name: ThreadName): Promise<void> {
  orderDeath(dist, name);
  await expect.poll(() => fs.existsSync(order(dist, name))).toBe(false);
}
