import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { SessionReader } from '../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../electron/session/write/session-writer.ts';
import { callHost } from './call-host.ts';
import { harEntries } from './har-entries.ts';
import { listenInTest } from './listen-in-test.ts';
import { rawOrigin } from './raw-origin.ts';
import { requestThrough } from './request-through.ts';
import { DIST, type Finished, RoundtripCli } from './roundtrip-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The product's Node: with a launcher, a signal would reach the launcher first. */
const NODE = path.resolve('node_modules/.bin/node');

/** Whether file systems can be mounted here: as root, and in few containers. */
export const canMount = (() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  fs.rmdirSync(folder);
  return mounted;
})();

async function cleartextOrigin(): Promise<string> {
  const server = http.createServer((_request, response) => response.end('hello'));
  const port = await listenInTest(server);
  return `http://127.0.0.1:${port}/`;
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** One `roundtrip record` with its own session and HAR, and the places where something can go wrong. */
export class FaultScene {
  readonly folder = temporaryFolder();
  readonly data = path.join(this.folder, 'data');
  session = path.join(this.folder, 's.roundtrip');
  har = path.join(this.folder, 'o.har');
  /** The file that the session is moved to. */
  goesOnIn: string | null = null;
  /** Options in addition to the scene's own. */
  options: string[] = [];
  command: string[] = [];
  /** Of the command line; a copy may hold threads that can be killed. */
  dist = DIST;
  /** Beside its own environment. */
  env: Record<string, string> = {};
  /** A file or device for standard output, instead of a pipe to us. */
  stdout: string | undefined;
  node = NODE;
  #cli: RoundtripCli | null = null;

  start(): RoundtripCli {
    const own = ['--port', '0', '--json', '--data-dir', this.data, '--session', this.session, '--har', this.har];
    const run = this.command.length > 0 ? ['--', ...this.command] : [];
    const script = path.join(this.dist, 'cli.cjs');
    this.#cli = new RoundtripCli(['record', ...own, ...this.options, ...run], {
      ...{ script, node: this.node, folder: this.folder, env: this.env, stdout: this.stdout },
    });
    return this.#cli;
  }

  get cli(): RoundtripCli {
    if (this.#cli === null) throw new Error('the scene has not started');
    return this.#cli;
  }

  /** Starts, and records one exchange that is in the session file when this resolves. */
  async record(): Promise<void> {
    this.start();
    await this.request();
  }

  /** One more exchange through the proxy that was started, in the session file when this resolves. */
  async request(): Promise<void> {
    const { proxy, ui } = await this.cli.ready();
    await requestThrough(proxy, await cleartextOrigin());
    // Answered once everything so far is written.
    await callHost(ui, 'sessions.list', {});
  }

  /** An exchange without a response; the origin has it when this resolves. */
  async requestUnderWay(): Promise<void> {
    const { proxy } = await this.cli.ready();
    const origin = await rawOrigin(() => undefined);
    requestThrough(proxy, `http://127.0.0.1:${origin.port}/`).catch(() => undefined);
    await origin.receives('GET / ');
  }

  /**
   * Makes it finish while an exchange is under way, and breaks something before it writes the HAR: the process stands
   * still meanwhile.
   */
  async whileFinishing(breakSomething: () => void, by: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const { proxy } = await this.cli.ready();
    await this.requestUnderWay();
    this.signal(by);
    await expect.poll(() => isListening(proxy), { interval: 10, timeout: 30_000 }).toBe(false);
    this.signal('SIGSTOP');
    breakSomething();
    this.signal('SIGCONT');
  }

  /** Resolves when the proxy takes connections. */
  async listensAgain(): Promise<void> {
    const { proxy } = await this.cli.ready();
    await expect.poll(() => isListening(proxy)).toBe(true);
  }

  /** No more descriptors than these for all of the process, from now on. */
  limitDescriptors(most: number): void {
    execFileSync('prlimit', ['--pid', String(this.cli.child.pid), `--nofile=${most}:`]);
  }

  openDescriptors(): number {
    return fs.readdirSync(`/proc/${this.cli.child.pid}/fd`).length;
  }

  signal(signal: NodeJS.Signals): void {
    this.cli.child.kill(signal);
  }

  /** Sooner, the second one counts as the first one, sent twice; and other signals may overtake each other. */
  async signalTwice(signal: NodeJS.Signals): Promise<void> {
    const again = () => {
      this.signal(signal);
      return this.cli.stderr;
    };
    await expect.poll(again, { interval: 600, timeout: 30_000 }).toContain('ended by the second signal');
  }

  /** From the start. */
  allowDescriptors(most: number): void {
    const limited = path.join(this.folder, 'limited');
    fs.writeFileSync(limited, `#!/bin/sh\nulimit -n ${most}\nexec '${NODE}' "$@"\n`, { mode: 0o700 });
    this.node = limited;
  }

  folderNamed(name: string): string {
    const folder = path.join(this.folder, name);
    fs.mkdirSync(folder);
    return folder;
  }

  /** A file system in memory. `options`: of mount(8), such as `size=1m` or `ro`. */
  mounted(name: string, options: string): string {
    const folder = this.folderNamed(name);
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    return folder;
  }

  /** Uses all free space. */
  fill(folder: string): void {
    const filler = fs.openSync(path.join(folder, 'filler'), 'w');
    try {
      for (const size of [65_536, 4096]) for (;;) if (fs.writeSync(filler, Buffer.alloc(size)) < size) break;
    } catch {
      // Full.
    } finally {
      fs.closeSync(filler);
    }
  }

  /** Resolves when it has printed this on stderr. */
  async says(text: string): Promise<void> {
    await expect.poll(() => this.cli.stderr).toContain(text);
  }

  /** The names that a line has in braces. */
  filled(line: string): string {
    const places: Record<string, string> = { session: this.session, har: this.har, data: this.data };
    return line.replaceAll(/\{([\w.-]+)\}/g, (_all, name: string) => places[name] ?? path.join(this.folder, name));
  }

  /** Exchanges in the HAR, or null if there is none. */
  inHar(): number | null {
    return fs.existsSync(this.har) && fs.statSync(this.har).isFile() ? harEntries(this.har).lines.length : null;
  }

  /** Exchanges in a copy of the session that a later run could continue, or null if there is none. */
  inSession(): number | null {
    const session = this.goesOnIn ?? this.session;
    if (!fs.existsSync(session) || !fs.statSync(session).isFile()) return null;
    const copy = path.join(temporaryFolder(), 'copy.roundtrip');
    // With its log: the disk that it is on may be full, and opening it for writing takes space.
    for (const end of ['', '-wal'].filter((one) => fs.existsSync(session + one)))
      fs.copyFileSync(session + end, copy + end);
    try {
      SessionWriter.open(copy).close();
    } catch {
      // It is no session.
      return null;
    }
    const reader = new SessionReader(copy);
    try {
      return reader.info().exchanges;
    } finally {
      reader.close();
    }
  }
}

/** As a shell gives it: 128 + n after signal n. */
export function shellCode({ exitCode, signal }: Finished): number {
  return exitCode ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
}

/** One row of docs/faults.md. */
export interface FaultCell {
  state: 'starting' | 'recording' | 'finishing';
  fault: string;
  kept: 'nothing' | 'session' | 'session, HAR' | 'HAR';
  /** The lines on stderr, with the names of places in braces; empty for none. */
  printed: string;
  exit: number;
  needsMount?: boolean;
  /** A block device with its own file system. */
  needsBlockDisk?: boolean;
  needsPrlimit?: boolean;
  /** libfaketime. */
  needsFakeTime?: boolean;
  /** Plays the whole run: starts it, breaks something, and ends it if the fault does not. */
  play(scene: FaultScene): Promise<void> | void;
}
