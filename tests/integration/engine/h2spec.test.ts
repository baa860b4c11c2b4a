import { execFile } from 'node:child_process';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';

const H2SPEC = path.join(process.env.GOPATH ?? path.join(os.homedir(), 'go'), 'bin', 'h2spec');

/** Forwards TLS records, each `apart` ms after the previous one: h2spec writes a frame as a record. */
async function* spaced(pieces: AsyncIterable<Buffer>, apart: number): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    held = Buffer.concat([held, piece]);
    while (held.length >= 5 && held.length >= 5 + held.readUInt16BE(3)) {
      const length = 5 + held.readUInt16BE(3);
      yield held.subarray(0, length);
      held = held.subarray(length);
      await setTimeout(apart);
    }
  }
}

/**
 * For a tool without proxy support: a port that leads into a tunnel to `port`. `apart`: ms between what the client
 * writes.
 */
async function shim(proxyPort: number, port: number, apart: number): Promise<number> {
  const server = net.createServer((client) => {
    const proxy = net.connect(proxyPort, '127.0.0.1');
    client.on('error', () => proxy.destroy());
    proxy.on('error', () => client.destroy());
    proxy.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    proxy.once('data', () => {
      pipeline(client, (pieces: AsyncIterable<Buffer>) => spaced(pieces, apart), proxy).catch(() => proxy.destroy());
      proxy.pipe(client);
    });
    proxy.on('close', () => client.destroy());
    client.on('close', () => proxy.destroy());
  });
  return await listenInTest(server);
}

/** Its cases that fail, each by its title. */
function failing(port: number): Promise<string[]> {
  const parameters = ['-h', 'localhost', '-p', String(port), '-t', '-k', '-o', '10'];
  return new Promise((resolve, reject) => {
    execFile(H2SPEC, parameters, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
      if (!/145 tests/.test(stdout)) reject(new Error(`h2spec said: ${stdout.slice(-400)}`));
      const failures = stdout.slice(stdout.indexOf('Failures:'));
      resolve(failures.includes('×') ? [...failures.matchAll(/× (\d+: .*)/g)].map((found) => found[1] ?? '') : []);
    });
  });
}

describe.skipIf(!hasProgram(H2SPEC))('h2spec', () => {
  // node:http2 alone fails nine to twelve of them. If frames arrive one by one, a response is complete before the frame
  // after its request.
  it.each([0, 20])('passes whole through Roundtrip, its frames %i ms apart', async (apart) => {
    const origin = await http2Origin((stream) => {
      stream.resume();
      stream.respond({ ':status': 200 });
      stream.end('hello');
    });
    origin.server.on('sessionError', () => {});
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect(await failing(await shim(through.port, origin.port, apart))).toEqual([]);
  });
});
