import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

/** Autobahn's test suite runs on Python 2.7 only; `.ci/run` sets it up where there is one. */
const PYTHON = path.resolve('.ci/autobahn/python');
const PACKAGES = path.resolve('.ci/autobahn/packages');
const RUN =
  'import site, sys; site.addsitedir(sys.argv.pop(1)); from autobahntestsuite.wstest import run; sys.argv[0] = "wstest"; run()';

export const hasAutobahn = existsSync(PYTHON) && existsSync(PACKAGES);

/** What Autobahn says of a case: `OK`, `NON-STRICT`, `INFORMATIONAL`, `UNIMPLEMENTED`, `FAILED`. */
export interface Verdict {
  behavior: string;
  behaviorClose: string;
  remoteCloseCode: number | null;
}

/** Runs Autobahn's fuzzing client against a WebSocket server; the verdicts by case. */
export async function fuzz(url: string, cases: readonly string[]): Promise<Record<string, Verdict>> {
  const folder = temporaryFolder();
  const spec = path.join(folder, 'spec.json');
  const outdir = path.join(folder, 'reports');
  const servers = [{ agent: 'server', url, options: { version: 18 } }];
  writeFileSync(spec, JSON.stringify({ outdir, servers, cases, 'exclude-cases': [], 'exclude-agent-cases': {} }));
  const wstest = ['-c', RUN, PACKAGES, '-m', 'fuzzingclient', '-s', spec];
  await promisify(execFile)(PYTHON, wstest, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(readFileSync(path.join(outdir, 'index.json'), 'utf8')).server;
}
