import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';
import { hasProgram } from '../support/has-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BIN = path.join(process.env.GOPATH ?? path.join(os.homedir(), 'go'), 'bin');
const RUNNER = path.join(BIN, 'connectconformance');
const CLIENT = path.join(BIN, 'referenceclient');

/** In YAML, which JSON is a part of. gRPC needs HTTP/2. */
const features = (version: 1 | 2, more: object): string =>
  JSON.stringify({
    features: {
      versions: [`HTTP_VERSION_${version}`],
      protocols: ['CONNECT', 'GRPC_WEB', ...(version === 2 ? ['GRPC'] : [])].map((name) => `PROTOCOL_${name}`),
      codecs: ['CODEC_PROTO', 'CODEC_JSON'],
      compressions: ['IDENTITY', 'GZIP', 'BR', 'ZSTD', 'DEFLATE', 'SNAPPY'].map((name) => `COMPRESSION_${name}`),
      ...more,
    },
  });

/** Statuses above 599, which node:http2 refuses to send. */
const EXPECTED = /\/nonexistent-http-status-code$/;

/** Suites whose cases have a deadline, with 500 ms to spare: other work on a machine can take longer. */
const TIMED = /^(Deadline Propagation|Timeouts)\//;

/** With the number of cases that the pinned runner has. */
const VERSIONS: [name: string, version: string, config: string, total: number][] = [
  ['HTTP/1.1, with TLS and without', 'HTTP/1.1', features(1, { supportsHalfDuplexBidiOverHttp1: true }), 4894],
  ['HTTP/2', 'HTTP/2.0', features(2, { supportsH2c: false }), 3896],
  ['HTTP/2 without TLS', 'HTTP/2.0', features(2, { supportsTls: false }), 4244],
];

interface Outcome {
  total: number;
  passed: number;
  failed: string[];
}

/** Runs each case, or only `cases`, against the runner's own servers. */
function conformance(config: string, port: number, caPath: string, cases: string[] = []): Promise<Outcome> {
  const file = path.join(temporaryFolder(), 'config.yaml');
  fs.writeFileSync(file, config);
  const client = path.resolve(import.meta.dirname, '../support/connect-conformance/client.ts');
  const command = [process.execPath, client, String(port), caPath, CLIENT];
  return new Promise((resolve, reject) => {
    execFile(
      RUNNER,
      ['--mode', 'client', '--conf', file, ...cases.flatMap((name) => ['--run', name]), '--', ...command],
      { maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        const [, total, passed] = /Total cases: (\d+)\s+(\d+) passed/.exec(stdout) ?? [];
        if (total === undefined) reject(new Error(`the runner said: ${stdout.slice(-2000)} ${stderr.slice(-2000)}`));
        const failed = [...stdout.matchAll(/^FAILED: (.*):$/gm)].map((found) => found[1] ?? '');
        resolve({ total: Number(total), passed: Number(passed), failed });
      },
    );
  });
}

/** The cases that fail, also alone if they have a deadline. */
async function failing({ failed }: Outcome, again: (cases: string[]) => Promise<Outcome>): Promise<string[]> {
  const timed = failed.filter((name) => TIMED.test(name));
  const alone = timed.length === 0 ? [] : (await again(timed)).failed;
  return [...failed.filter((name) => !TIMED.test(name) && !EXPECTED.test(name)), ...alone];
}

describe.skipIf(!hasProgram(RUNNER, '--version') || !fs.existsSync(CLIENT))("Connect's conformance", () => {
  it.each(VERSIONS)('holds through Roundtrip over %s', { timeout: 480_000 }, async (_name, version, config, total) => {
    const through = await testEngine({ insecureUpstream: true });
    const outcome = await conformance(config, through.port, through.caPath);
    const again = (cases: string[]) => conformance(config, through.port, through.caPath, cases);
    expect(await failing(outcome, again)).toEqual([]);
    // A few calls are cancelled before they are sent.
    const sent = through.seen.all.filter(({ request }) => request.httpVersion === version);
    expect(sent.length).toBeGreaterThan(total * 0.99);
    expect(outcome).toMatchObject({ total, passed: total - outcome.failed.length });
  });
});
