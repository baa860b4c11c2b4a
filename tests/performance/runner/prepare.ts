import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CACHE, HOME, LOAD_CLIENT, MITMDUMP, PROJECT } from './places.ts';

/** Contenders that need nothing but this project. */
const OWN = ['direct', 'tunnel', 'roundtrip'];
const MITMPROXY = 'mitmproxy==12.2.2';

function run(command: string, args: readonly string[], cwd = HOME): void {
  console.error(`$ ${[command, ...args].join(' ')}`);
  execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
}

function newest(folder: string): number {
  return Math.max(...fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).mtimeMs));
}

function loadClient(): void {
  const source = path.join(HOME, 'load-client');
  if (fs.existsSync(LOAD_CLIENT) && fs.statSync(LOAD_CLIENT).mtimeMs > newest(source)) return;
  run('go', ['build', '-o', LOAD_CLIENT, '.'], source);
}

/** mitmproxy 12 requires Python 3.12 or later. */
function python(): string {
  const places = ['python3.14', 'python3.13', 'python3.12', 'python3'];
  const versions = path.join(process.env.PYENV_ROOT ?? path.join(process.env.HOME ?? '', '.pyenv'), 'versions');
  if (fs.existsSync(versions)) {
    for (const name of fs.readdirSync(versions)) places.push(path.join(versions, name, 'bin', 'python3'));
  }
  const fits = places.find((place) => {
    try {
      execFileSync(place, ['-c', 'import sys; sys.exit(sys.version_info < (3, 12))'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  if (fits) return fits;
  throw new Error('mitmproxy needs Python 3.12 or later');
}

function mitmproxy(): void {
  if (fs.existsSync(MITMDUMP)) return;
  const folder = path.dirname(path.dirname(MITMDUMP));
  run(python(), ['-m', 'venv', folder]);
  run(path.join(folder, 'bin', 'pip'), ['install', '--quiet', MITMPROXY]);
}

/** A build older than its sources would be timed in place of them. */
function product(): void {
  const built = path.join(PROJECT, 'dist', 'engine-thread.cjs');
  if (!fs.existsSync(built)) throw new Error('the product is not built: npm run build');
  const sources = ['electron', 'shared'].flatMap((folder) =>
    fs.readdirSync(path.join(PROJECT, folder), { recursive: true, withFileTypes: true }),
  );
  const newer = sources
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .find((file) => fs.statSync(file).mtimeMs > fs.statSync(built).mtimeMs);
  if (newer) throw new Error(`the build is older than ${newer}: npm run build`);
}

/**
 * Installs and builds what contenders need and this machine lacks. Null: all of them. If mitmproxy is unavailable, its
 * lines report this.
 */
export function prepare(contenders: readonly string[] | null): void {
  fs.mkdirSync(CACHE, { recursive: true });
  loadClient();
  product();
  const needsPeers = contenders === null || contenders.some((name) => !OWN.includes(name));
  if (needsPeers && !fs.existsSync(path.join(HOME, 'node_modules')))
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (contenders !== null && !contenders.includes('mitmproxy')) return;
  try {
    mitmproxy();
  } catch (error) {
    console.error(`mitmproxy is left out: ${error instanceof Error ? error.message : error}`);
  }
}
