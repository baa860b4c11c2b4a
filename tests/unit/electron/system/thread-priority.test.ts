import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Environment, findProgram, runCommand } from '../../../../electron/system/run-command.ts';
import { raisePriority } from '../../../../electron/system/thread-priority.ts';
import { mayRaisePriority } from '../../../support/may-raise-priority.ts';
import { hasRealtimeKit, realtimeKit } from '../../../support/realtime-kit.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Another thread of this process, by the number that Linux knows it by. */
async function otherThread(): Promise<number> {
  const code = `const { parentPort } = require('node:worker_threads');
    parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1));
    parentPort.on('message', () => {});`;
  const worker = new Worker(code, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const [number] = await once(worker, 'message');
  return Number(number);
}

/** What the kernel says to who is not root. setpriority(2). */
function refuse(): never {
  throw Object.assign(new Error('uv_os_setpriority returned EACCES (permission denied)'), { code: 'ERR_SYSTEM_ERROR' });
}

/** A PATH on which there is that program alone. */
function onlyWith(program: string, env: Environment): Environment {
  const folder = temporaryFolder();
  fs.symlinkSync(findProgram(program, env) ?? '', path.join(folder, program));
  return { ...env, PATH: folder };
}

/** Started by `nice`, nothing is raised. */
const USUAL = process.platform === 'linux' && os.getPriority() === 0;

describe.skipIf(!USUAL)("a thread's priority", () => {
  // Who is not root has no such right.
  it.skipIf(!mayRaisePriority())('is raised by the right of the process, and that of no other thread', async () => {
    const thread = await otherThread();
    const before = os.getPriority(process.pid);
    expect(await raisePriority(thread)).toBe('kernel');
    expect(os.getPriority(thread)).toBe(-5);
    expect(os.getPriority(process.pid)).toBe(before);
  });

  // Neither rtkit nor polkit on this machine, or not by root, who alone can start them.
  it.skipIf(!hasRealtimeKit()).each(['busctl', 'gdbus'])(
    'is raised by RealtimeKit where the kernel refuses it: %s',
    async (program) => {
      const thread = await otherThread();
      const env = onlyWith(program, { ...process.env, ...(await realtimeKit()) });
      expect(await raisePriority(thread, { env, run: runCommand, setPriority: refuse })).toBe('realtime-kit');
      expect(os.getPriority(thread)).toBe(-5);
    },
  );

  // As above.
  it.skipIf(!hasRealtimeKit())('stays as it is where RealtimeKit refuses it, too', async () => {
    const thread = await otherThread();
    const env = { ...process.env, ...(await realtimeKit(['--min-nice-level=-1'])) };
    expect(await raisePriority(thread, { env, run: runCommand, setPriority: refuse })).toBeNull();
    expect(os.getPriority(thread)).toBe(0);
  });

  it('stays as it is where it is not the usual one: somebody chose it', async () => {
    const thread = await otherThread();
    os.setPriority(thread, 7);
    expect(await raisePriority(thread)).toBeNull();
    expect(os.getPriority(thread)).toBe(7);
  });

  it('stays as it is where there is no system bus, or nothing to ask with', async () => {
    const thread = await otherThread();
    const noBus = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${temporaryFolder()}/none` };
    const noTools = { PATH: temporaryFolder() };
    for (const env of [noBus, noTools])
      expect(await raisePriority(thread, { env, run: runCommand, setPriority: refuse })).toBeNull();
    expect(os.getPriority(thread)).toBe(0);
  });
});
