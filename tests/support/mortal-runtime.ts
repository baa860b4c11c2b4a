import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { openCertificateAuthority } from '../../electron/engine/ca/certificate-authority.ts';
import type { RuntimeListener } from '../../electron/worker/recording-types.ts';
import { Runtime } from '../../electron/worker/runtime.ts';
import type { FeedBatch } from '../../shared/contract/events.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { HeldSummary } from '../../shared/model/rule/held-message.ts';
import { DEFAULT_SETTINGS } from '../../shared/model/settings.ts';
import { freePort } from './free-port.ts';
import { listenInTest } from './listen-in-test.ts';
import { requestThrough } from './request-through.ts';
import { DIST } from './roundtrip-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const THREADS = ['engine', 'session-writer', 'checkpoint', 'session-reader', 'pac', 'script'] as const;
export type ThreadName = (typeof THREADS)[number];

export interface MortalThreads {
  threadFolder: string;
  /** All threads of this name throw. */
  kill: (name: ThreadName) => void;
  /** All threads of this name stop, as in a call to a frozen disk, until the returned function is called. */
  freeze: (name: ThreadName) => () => void;
}

/** The real threads, which can be made to die or stop. */
function mortalThreads(folder: string): MortalThreads {
  const id = randomUUID();
  const frozen = path.join(folder, 'frozen');
  for (const name of THREADS) {
    const script = `
      const fs = require('node:fs');
      const { BroadcastChannel } = require('node:worker_threads');
      const channel = new BroadcastChannel('${id}-${name}');
      channel.onmessage = ({ data }) => {
        if (data === 'die') return void setImmediate(() => { throw new Error('told to die'); });
        const nap = new Int32Array(new SharedArrayBuffer(4));
        while (fs.existsSync(${JSON.stringify(frozen)})) Atomics.wait(nap, 0, 0, 20);
      };
      channel.unref();
      require(${JSON.stringify(path.join(DIST, `${name}-thread.cjs`))});
    `;
    fs.writeFileSync(path.join(folder, `${name}-thread.cjs`), script);
  }
  fs.symlinkSync(path.join(DIST, 'quickjs.wasm'), path.join(folder, 'quickjs.wasm'));
  const send = (name: ThreadName, message: string) => {
    const channel = new BroadcastChannel(`${id}-${name}`);
    channel.postMessage(message);
    channel.close();
  };
  return {
    threadFolder: folder,
    kill: (name) => send(name, 'die'),
    freeze: (name) => {
      fs.writeFileSync(frozen, '');
      send(name, 'freeze');
      return () => fs.rmSync(frozen, { force: true });
    },
  };
}

/** The notices of a runtime's host. */
export class Heard implements RuntimeListener {
  readonly batches: FeedBatch[] = [];
  readonly sessions: { id: string; path: string }[] = [];
  /** File names of all open sessions, at each change. */
  readonly open: string[][] = [];
  readonly failures: string[] = [];
  readonly sightings: Sighting[] = [];
  readonly console: string[] = [];
  /** Messages that breakpoints hold now. */
  held: HeldSummary[] = [];
  readonly #waiting = new Set<{ wanted: (status: EngineStatus) => boolean; resolve: () => void }>();

  onConsole(line: { rule: string; text: string }): void {
    this.console.push(`${line.rule}: ${line.text}`);
  }
  onFeed(batch: FeedBatch): void {
    this.batches.push(batch);
  }
  onSession(session: { id: string; path: string }): void {
    this.sessions.push(session);
  }
  onSessions(sessions: { path: string }[]): void {
    this.open.push(sessions.map(({ path: file }) => path.basename(file)));
  }
  onSighting(sighting: Sighting): void {
    this.sightings.push(sighting);
  }
  onBreaks(messages: HeldSummary[]): void {
    this.held = messages;
  }
  onFailure({ code }: { code: string }): void {
    this.failures.push(code);
  }
  onStatus(status: EngineStatus): void {
    for (const waiting of this.#waiting) {
      if (!waiting.wanted(status)) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
  /** Resolves when this recording problem appeared and ended. */
  untilOvercome(code: string): Promise<void> {
    let seen = false;
    return this.until(({ recordingFailure }) => {
      seen ||= recordingFailure?.code === code;
      return seen && recordingFailure === null;
    });
  }
  until(wanted: (status: EngineStatus) => boolean): Promise<void> {
    return new Promise((resolve) => this.#waiting.add({ wanted, resolve }));
  }
}

/** A runtime with real threads that can be made to die; nothing runs yet. Closed with the test. */
export async function mortalRuntime(sessionPath?: string) {
  const folder = temporaryFolder();
  const { certificatePem, keyPem } = await openCertificateAuthority(folder);
  const threads = mortalThreads(folder);
  const heard = new Heard();
  const session = sessionPath ?? path.join(folder, 's.roundtrip');
  const runtime = new Runtime({
    threadFolder: threads.threadFolder,
    sessionPath: session,
    engine: {
      ...{ host: '127.0.0.1', port: await freePort(), settings: DEFAULT_SETTINGS, refusedAuthorities: [] },
      certificates: { certificatePem, keyPem, leafFolder: folder },
    },
    listener: heard,
  });
  onTestFinished(() => runtime.close(0));
  return { runtime, heard, folder, session, ...threads };
}

/** An origin that answers "hello", or as many bytes as its path says: `/bytes/1000`. */
export async function helloOrigin(): Promise<string> {
  const server = http.createServer((request, response) => {
    const [, size] = /\/bytes\/(\d+)/.exec(request.url ?? '') ?? [];
    response.end(size === undefined ? 'hello' : Buffer.alloc(Number(size), 'x'));
  });
  const port = await listenInTest(server);
  return `http://127.0.0.1:${port}`;
}

export async function getThrough(proxyUrl: string, url: string): Promise<string> {
  return (await requestThrough(proxyUrl, url)).body;
}
