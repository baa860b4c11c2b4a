import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hasProgram } from '../support/has-program.ts';

export const CAN_MAKE_DEBIAN =
  process.getuid?.() === 0 && hasProgram('mmdebstrap') && hasProgram('unshare', '--version');

const USER = 'somebody';
/** What the tests' stand-ins for Electron 22 load from this checkout. */
const MODULES = fs.realpathSync('node_modules');

/** A Debian with only apt, in a folder, in which commands run. Their mounts end with them. */
export class EmptyDebian {
  readonly #folder: string;

  /** Downloads from Debian's mirror. */
  constructor(folder: string) {
    this.#folder = path.join(folder, 'root');
    const release = /^VERSION_CODENAME=(.+)$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
    execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', release, this.#folder], {
      stdio: 'pipe',
    });
    fs.mkdirSync(path.join(this.#folder, path.resolve('node_modules')), { recursive: true });
    for (const file of ['/etc/resolv.conf', '/etc/hosts']) fs.copyFileSync(file, path.join(this.#folder, file));
    this.run(['useradd', '--create-home', USER]);
  }

  /** The command line that runs `command` inside, as root or as an ordinary user. */
  command(command: readonly string[], as: 'root' | 'user'): string[] {
    const root = this.#folder;
    const mounts = [
      `mount -t proc proc '${root}/proc'`,
      `mount --rbind /dev '${root}/dev'`,
      `mount --rbind '${MODULES}' '${root}${path.resolve('node_modules')}'`,
    ];
    const chroot = `exec chroot ${as === 'user' ? `--userspec=${USER}:${USER}` : ''} '${root}' "$@"`;
    const script = [...mounts, chroot].join(' && ');
    return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...command];
  }

  /** Throws an Error with the command's output if it fails. */
  run(command: readonly string[], as: 'root' | 'user' = 'root', env: NodeJS.ProcessEnv = {}): string {
    const [program = '', ...parameters] = this.command(command, as);
    const own = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', HOME: as === 'user' ? `/home/${USER}` : '/root' };
    return execFileSync(program, parameters, { stdio: 'pipe', env: { ...own, ...env } }).toString();
  }

  install(deb: string): void {
    fs.copyFileSync(deb, path.join(this.#folder, 'tmp/package.deb'));
    this.run(['apt-get', 'update', '-q']);
    this.run(['apt-get', 'install', '-y', '--no-install-recommends', '/tmp/package.deb']);
  }

  /** Debian's packages with what the rpm requires under other distributions' names. */
  installRpm(rpm: string, dependencies: readonly string[]): void {
    fs.copyFileSync(rpm, path.join(this.#folder, 'tmp/package.rpm'));
    this.run(['apt-get', 'update', '-q']);
    this.run(['apt-get', 'satisfy', '-y', '--no-install-recommends', ['rpm', ...dependencies].join(', ')]);
    this.run(['rpm', '--install', '--nodeps', '/tmp/package.rpm']);
  }

  /** A path inside, as this machine has it. */
  path(inside: string): string {
    return path.join(this.#folder, inside);
  }
}
