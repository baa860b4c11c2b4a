import { lookup } from 'node:dns/promises';
import fs from 'node:fs';
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PacScript } from '../pac/pac-script.ts';
import type { PacCalls, PacThreadData } from './pac-calls.ts';
import { answerCalls } from './thread-call.ts';

const host = parentPort;
if (host === null) throw new Error('pac-thread runs as a worker thread');
const { wasmFile } = workerData as PacThreadData;

function ownAddress(): string {
  const all = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

let script: { text: string; loaded: Promise<PacScript> } | null = null;

answerCalls<PacCalls>(host, {
  find: async ({ script: text, url, host: name }) => {
    if (script?.text !== text) {
      const options = { ownAddress, lookUp: async (each: string) => (await lookup(each, { family: 4 })).address };
      script = { text, loaded: PacScript.load(fs.readFileSync(wasmFile), text, options) };
    }
    return await (await script.loaded).find(url, name);
  },
});
