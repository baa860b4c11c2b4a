import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Contender } from './contender.ts';
import { CACHE, PROJECT } from './places.ts';
import { roundtrip } from './roundtrip.ts';
import type { Scenario } from './scenario.ts';

function commitOf(revision: string): string {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    return execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim();
  } catch {
    throw new Error(`--base ${revision}: there is no such commit. Name one, for example HEAD~3 or a tag`);
  }
}

function isSame(one: string, other: string): boolean {
  return fs.readFileSync(one).equals(fs.readFileSync(other));
}

function run(command: string, args: readonly string[], cwd: string): void {
  console.error(`$ ${[command, ...args].join(' ')}`);
  execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
}

/** Its build dependencies: this checkout's, if both require the same. */
function install(folder: string): void {
  const lock = 'package-lock.json';
  if (isSame(path.join(folder, lock), path.join(PROJECT, lock)))
    fs.symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
  else run('npm', ['ci', '--no-audit', '--no-fund'], folder);
}

/** Built once; only the folder of its build is kept, which is returned. */
function build(commit: string): string {
  const kept = path.join(CACHE, 'base', commit);
  if (fs.existsSync(kept)) return kept;
  const making = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-base-'));
  try {
    const tar = path.join(making, 'sources.tar');
    run('git', ['archive', '--output', tar, commit], PROJECT);
    run('tar', ['-xf', tar, '-C', making], PROJECT);
    install(making);
    run(process.execPath, ['build/build.ts'], making);
    fs.mkdirSync(path.dirname(kept), { recursive: true });
    fs.cpSync(path.join(making, 'dist'), `${kept}.part`, { recursive: true });
    fs.renameSync(`${kept}.part`, kept);
    return kept;
  } finally {
    fs.rmSync(making, { recursive: true, force: true });
  }
}

/** The product at `revision`, built with that commit's own tools. Throws if there is no such commit. */
export function baseOf(revision: string): Contender {
  const commit = commitOf(revision);
  return roundtrip(`roundtrip ${commit.slice(0, 7)}`, { dist: build(commit) });
}

/** The scenario with `base` next to the product, and a column of ratios to it. */
export function withBase(scenario: Scenario, base: Contender | null): Scenario {
  if (base === null) return scenario;
  const contenders = scenario.contenders.flatMap((name) => (name === 'roundtrip' ? [name, base.name] : [name]));
  return { ...scenario, contenders, ratiosTo: [...scenario.ratiosTo, base.name] };
}
