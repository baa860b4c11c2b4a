import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Suite {
  name: string;
  /** For an existing work tree. */
  variable: string;
  repository: string;
  commit: string;
  /** npm scripts that build what its tests read. */
  prepare: readonly string[];
  /** Globs of its test files. */
  files: readonly string[];
  /** Those of them that do not involve a proxy, or need more than a machine has; each with the reason. */
  leftOut: readonly [pattern: RegExp, reason: string][];
  /** Runs a file, or one test of it: the parameters of Node. They print TAP. */
  command: (file: string, title: string | null) => readonly string[];
  /** Additional environment for its tests. */
  nodeOptions: string;
}

function namedTest(title: string | null): string[] {
  return title === null ? [] : [`--test-name-pattern=^${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`];
}

export const SUITES: readonly Suite[] = [
  {
    name: 'undici',
    variable: 'ROUNDTRIP_UNDICI',
    repository: 'https://github.com/nodejs/undici.git',
    commit: '7eb7c8ec8f23acd9c3da93a286162f8c1dc68326',
    prepare: ['build:node', 'generate-pem'],
    files: [
      'test/*.js',
      'test/fetch/*.js',
      'test/node-fetch/*.js',
      'test/websocket/**/*.js',
      'test/eventsource/*.js',
      'test/interceptors/*.js',
      'test/cache-interceptor/*.js',
    ],
    leftOut: [
      [/^test\/(mock-|snapshot-|fixed-queue|util|timers|socks5-utils|errors|examples)/, 'no traffic'],
      [/\/utils\//, 'no tests'],
      [/^test\/issue-803\.js$/, '5.9 GB within 60 s, which a machine with other work does not pass on'],
    ],
    command: (file, title) => ['--expose-gc', '--test-reporter=tap', ...namedTest(title), file],
    nodeOptions: '',
  },
  {
    name: 'got',
    variable: 'ROUNDTRIP_GOT',
    repository: 'https://github.com/sindresorhus/got.git',
    commit: 'd00d845a0b435365ec73ea5a1fca6e17ee677184',
    prepare: [],
    files: ['test/*.ts'],
    leftOut: [[/\.types\.ts$|\/(helpers|get-unix-socket-path)\.ts$/, 'no tests']],
    command: (file, title) => {
      const match = title === null ? [] : [`--match=${title}`];
      return ['node_modules/ava/entrypoints/cli.mjs', '--tap', '--timeout=60s', ...match, file];
    },
    nodeOptions: '--import=tsx/esm',
  },
];

const CACHE = process.env.ROUNDTRIP_TEST_SUITES || path.join(os.tmpdir(), 'roundtrip-test-suites');

function run(folder: string, program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function clone({ name, repository, commit }: Suite): string {
  const folder = path.join(CACHE, `${name}-${commit.slice(0, 12)}`);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(CACHE, { recursive: true });
  const unfinished = fs.mkdtempSync(path.join(CACHE, `.${name}-`));
  run(unfinished, 'git', 'clone', '--quiet', '--filter=blob:none', repository, '.');
  run(unfinished, 'git', 'checkout', '--quiet', commit);
  fs.renameSync(unfinished, folder);
  return folder;
}

/** A work tree that is ready to run; null if it can't be installed; its tests are then skipped by name. */
export function suiteFolder(suite: Suite): string | null {
  try {
    const folder = process.env[suite.variable] || clone(suite);
    if (!fs.existsSync(path.join(folder, 'node_modules')))
      run(folder, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    for (const script of suite.prepare) run(folder, 'npm', 'run', '--silent', script);
    return folder;
  } catch (error) {
    console.error(`${suite.name} can't be had here: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Its test files, relative to the folder, sorted. */
export function suiteFiles({ files, leftOut }: Suite, folder: string): string[] {
  const found = fs.globSync([...files], { cwd: folder }).map((file) => file.split(path.sep).join('/'));
  return [...new Set(found)].filter((file) => !leftOut.some(([pattern]) => pattern.test(file))).sort();
}
