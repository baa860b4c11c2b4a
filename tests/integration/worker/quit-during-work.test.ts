import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Host } from '../../../electron/commands/host.ts';
import { RunningWork } from '../../../electron/files/running-work.ts';
import { LabRunner } from '../../../electron/worker/lab/lab-runner.ts';
import { SessionFile } from '../../../electron/worker/session-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The code of a thread that begins a file and never completes it. `begins`: its path, in terms of the call. */
function endlessThread(begins: string): string {
  return `const fs = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  const reply = (id, rest) => parentPort.postMessage({ kind: 'reply', id, ...rest });
  let running;
  parentPort.on('message', (message) => {
    if (message === 'end') process.exit(0);
    const { id, name, input } = message;
    if (name === 'isSession' || name === 'open') return reply(id, { ok: true, value: false });
    if (name === 'close') return process.exit(0);
    if (name === 'cancel') {
      fs.rmSync(running.file);
      return reply(running.id, { ok: false, failure: { code: 'cancelled', side: 'roundtrip', message: 'cancelled' } });
    }
    running = { id, file: ${begins} };
    fs.writeFileSync(running.file, 'the first half');
  });`;
}

/** A folder of threads with that one, by its bundle's name. */
function threadsWith(name: string, begins: string): string {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, name), endlessThread(begins));
  return folder;
}

/** Ends once the first half is there. Expects that the work fails, and leaves nothing behind. */
async function expectNothingLeft(half: string, work: Promise<unknown>, end: () => Promise<void>): Promise<void> {
  const failed = expect(work).rejects.toThrow('cancelled');
  await vi.waitFor(() => expect(fs.existsSync(half)).toBe(true), { timeout: 60_000 });
  await end();
  expect(fs.existsSync(half)).toBe(false);
  await failed;
}

const NEVER = new AbortController().signal;

it('a host that closes cancels its imports, which leave no half session', async () => {
  const threadFolder = threadsWith('import-thread.cjs', 'input.session');
  const dataFolder = temporaryFolder();
  const host = await Host.open({
    ...{ kind: 'headless', version: '0.0.0', threadFolder, dataFolder, guard: null, overrides: {}, rulesFile: null },
    ...{ listen: { host: '127.0.0.1', port: 0 }, sessionPath: path.join(dataFolder, 'sessions/s.roundtrip') },
    ...{ refusedAuthorities: [], files: { choose: async () => null }, chooseProgram: null, reveal: null },
    ...{ onBattery: () => false, watchdog: [process.execPath], onStop: () => undefined },
    ...{ onPruned: () => undefined, onFailure: () => undefined },
  });
  onTestFinished(() => host.close(0));
  const importing = host.home.openAny(path.join(dataFolder, 'large.har'), () => undefined, NEVER);
  await expectNothingLeft(path.join(dataFolder, 'sessions/large.roundtrip'), importing, () => host.close(0));
});

it('runs of the lab end with their host', async () => {
  const work = new RunningWork();
  const lab = new LabRunner(threadsWith('lab-thread.cjs', 'input.source'), work);
  const half = path.join(temporaryFolder(), 'half');
  const options = { page: 1, variants: [], rtts: [], bandwidth: 0, runs: 1 };
  await expectNothingLeft(
    half,
    lab.run(half, options, () => undefined, NEVER),
    () => work.end(),
  );
});

it('a session file that is closed cancels its exports, which leave no half file', async () => {
  const threadFolder = threadsWith('session-reader-thread.cjs', 'input.path');
  const file = new SessionFile(threadFolder, 'session', () => undefined);
  const half = path.join(temporaryFolder(), 'half');
  const job = { path: half, selection: {} as never, onProgress: () => undefined, signal: NEVER };
  await expectNothingLeft(half, file.export(job, null), () => file.close());
});
