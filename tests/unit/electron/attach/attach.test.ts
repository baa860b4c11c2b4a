import fs from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { attach, attachToAll } from '../../../../electron/attach/attach.ts';
import { publishRunning } from '../../../../electron/attach/running-file.ts';
import { API_VERSION } from '../../../../shared/contract/api-version.ts';
import { listenInTest } from '../../../support/listen-in-test.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Milliseconds. Of those that answer, a busy machine may need most. */
const PATIENCE = 50;
const MORE_PATIENCE = 10_000;

/** Accepts connections and says nothing, as a process does that SIGSTOP holds. */
function silentServer(): Promise<number> {
  return listenInTest(net.createServer((socket) => void socket.on('error', () => undefined)));
}

function answeringServer(): Promise<number> {
  const server = createServer();
  new WebSocketServer({ server });
  return listenInTest(server);
}

/** A data folder whose file names a running Roundtrip at `port`, and returns the folder of these files. */
function publish(folder: string, port: number, pid: number, startedAt: number): string {
  publishRunning(folder, { version: API_VERSION, pid, url: `http://127.0.0.1:${port}`, token: 'x', startedAt });
  return path.join(folder, 'running');
}

it('one that does not answer keeps its file: a stopped process may go on', async () => {
  const folder = temporaryFolder();
  const files = publish(folder, await silentServer(), process.pid, 1);
  const noAnswer = { code: 'attach.no-answer', message: expect.stringContaining(`process id ${process.pid} `) };
  await expect(attach(folder, null, PATIENCE)).rejects.toMatchObject(noAnswer);
  await expect(attachToAll(folder, () => undefined, PATIENCE)).rejects.toMatchObject(noAnswer);
  expect(fs.readdirSync(files)).toEqual([`${process.pid}.json`]);
});

// One test, at once: each waits for the silent one as long as a busy machine may need to answer.
it('one that answers is found behind one that does not, which is reported', async () => {
  const folder = temporaryFolder();
  publish(folder, await silentServer(), process.pid, 2);
  publish(folder, await answeringServer(), process.ppid, 1);
  const reported: string[] = [];
  const [found, all] = await Promise.all([
    attach(folder, null, MORE_PATIENCE),
    attachToAll(folder, ({ code }) => reported.push(code), MORE_PATIENCE),
  ]);
  expect(found?.running.pid).toBe(process.ppid);
  expect(all.map(({ running }) => running.pid)).toEqual([process.ppid]);
  expect(reported).toEqual(['attach.no-answer']);
  for (const one of [found, ...all]) one?.close();
});
