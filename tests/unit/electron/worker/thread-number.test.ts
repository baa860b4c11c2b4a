import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { threadNumber } from '../../../../electron/worker/thread-number.ts';

const SOURCE = path.resolve('electron/worker/thread-number.ts');

describe.skipIf(process.platform !== 'linux')("a thread's number", () => {
  it('is one of this process, and each thread has its own', async () => {
    const code = `import('${SOURCE}').then(({ threadNumber }) =>
      require('node:worker_threads').parentPort.postMessage(threadNumber()))`;
    const [other] = await once(new Worker(code, { eval: true }), 'message');
    expect(other).not.toBe(threadNumber());
    expect(fs.existsSync(`/proc/${process.pid}/task/${threadNumber()}`)).toBe(true);
  });

  it('is null where there is no /proc', () => {
    const missing = vi.spyOn(fs, 'readlinkSync').mockImplementation(() => {
      throw new Error('ENOENT');
    });
    expect(threadNumber()).toBeNull();
    missing.mockRestore();
  });
});
