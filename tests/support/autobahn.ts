import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Autobahn's test suite runs on Python 2.7 only; `.ci/run` sets it up where there is one. */
const PYTHON = path.resolve('.ci/autobahn/python');
const PACKAGES = path.resolve('.ci/autobahn/packages');
const RUN =
  'import site, sys; site.addsitedir(sys.argv.pop(1)); from autobahntestsuite.wstest import run; sys.argv[0] = ' +
  '"wstest"; run()';

export const hasAutobahn = existsSync(PYTHON) && existsSync(PACKAGES);

/** Autobahn's verdict on a case: `OK`, `NON-STRICT`, `INFORMATIONAL`, `UNIMPLEMENTED`, `FAILED`. */
export interface Verdict {
  behavior: string;
  behaviorClose: string;
  remoteCloseCode: number | null;
}

function wstest(mode: 'fuzzingclient' | 'fuzzingserver', spec: string): string[] {
  return ['-c', RUN, PACKAGES, '-m', mode, '-s', spec];
}

/** Runs Autobahn's fuzzing client against a WebSocket server; the verdicts by case. */
export async function fuzz(url: string, cases: readonly string[]): Promise<Record<string, Verdict>> {
  const folder = temporaryFolder();
  const spec = path.join(folder, 'spec.json');
  const outdir = path.join(folder, 'reports');
  const servers = [{ agent: 'server', url, options: { version: 18 } }];
  writeFileSync(spec, JSON.stringify({ outdir, servers, cases, 'exclude-cases': [], 'exclude-agent-cases': {} }));
  await promisify(execFile)(PYTHON, wstest('fuzzingclient', spec), { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(readFileSync(path.join(outdir, 'index.json'), 'utf8')).server;
}

export interface FuzzingServer {
  port: number;
  /** Of the clients that named themselves so, once each has asked for its report. */
  verdicts(): Record<string, Record<string, Verdict>>;
}

/** Starts Autobahn's fuzzing server, which WebSocket clients ask for one case after another; ended with the test. */
export async function fuzzingServer(cases: readonly string[]): Promise<FuzzingServer> {
  const folder = temporaryFolder();
  const spec = path.join(folder, 'spec.json');
  const outdir = path.join(folder, 'reports');
  const port = await freePort();
  const url = `ws://127.0.0.1:${port}`;
  const options = { failByDrop: false };
  const all = { url, outdir, cases, options, webport: 0, 'exclude-cases': [], 'exclude-agent-cases': {} };
  writeFileSync(spec, JSON.stringify(all));
  const server = spawn(PYTHON, wstest('fuzzingserver', spec), { cwd: folder, stdio: 'ignore' });
  onTestFinished(() => void server.kill('SIGKILL'));
  while (server.exitCode === null && !(await isListening(port))) await new Promise((resume) => setTimeout(resume, 50));
  return { port, verdicts: () => JSON.parse(readFileSync(path.join(outdir, 'index.json'), 'utf8')) };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
