import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Child, type ChildOptions } from './child.ts';
import { openFeed } from './feed-client.ts';
import { HOME, MITMDUMP, PROJECT } from './places.ts';
import { listensOn } from './process-tree.ts';
import { profiling } from './profile.ts';

const START_LIMIT = 30_000;

/** What a contender is given to start with. */
export interface Surroundings {
  /** Its own folder, removed afterwards. */
  folder: string;
  /** The origin's CA, PEM. */
  upstreamCa: string;
  /** A port that was free a moment ago. */
  port: number;
  /** Where each thread of a Node contender writes its profile as it ends; null: none is wanted. */
  profiles: string | null;
}

export interface Running {
  /** host:port of the proxy; null: there is none. */
  proxy: string | null;
  pid: number | null;
  stop(): Promise<void>;
}

export interface Contender {
  name: string;
  /** Ends TLS and reads requests; a blind tunnel does not. */
  intercepts: boolean;
  /** The name of the thread whose CPU is of interest; null: the process as a whole. */
  thread: string | null;
  start(around: Surroundings): Promise<Running>;
}

export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function listening(child: Child, port: number): Promise<Running> {
  const until = Date.now() + START_LIMIT;
  while (!listensOn(child.pid, port)) {
    if (Date.now() > until || child.process.exitCode !== null) {
      await child.stop();
      throw new Error(`port ${port} does not belong to the process just started`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { proxy: `127.0.0.1:${port}`, pid: child.pid, stop: () => child.stop() };
}

function nodeEnvironment({ folder, profiles }: Surroundings): Record<string, string> {
  return { NODE_ENV: 'production', HOME: folder, ...(profiles === null ? {} : profiling(profiles)) };
}

/** A contender that is a Node script beside this one. */
function script(name: string, intercepts: boolean, file = `${name}.mjs`, options: unknown = {}): Contender {
  return {
    name,
    intercepts,
    thread: null,
    async start(around) {
      const given = JSON.stringify({ ...around, options });
      const child = new Child({
        command: process.execPath,
        args: [path.join(HOME, 'contenders', file), given],
        env: { ...nodeEnvironment(around), NODE_EXTRA_CA_CERTS: around.upstreamCa },
        cwd: around.folder,
      });
      const { port } = await child.line<{ port: number }>(START_LIMIT);
      return await listening(child, port);
    },
  };
}

const MITMPROXY: Contender = {
  name: 'mitmproxy',
  intercepts: true,
  thread: null,
  async start({ folder, upstreamCa, port }) {
    const settings = [`confdir=${folder}`, `ssl_verify_upstream_trusted_ca=${upstreamCa}`];
    const args = ['-q', '--listen-host', '127.0.0.1', '-p', String(port), ...settings.flatMap((s) => ['--set', s])];
    return await listening(new Child({ command: MITMDUMP, args }), port);
  },
};

/** The product as people use it, `roundtrip serve` with its session file; `args` and no feed are for the ablations. */
function roundtrip(name: string, { args = [], feed = true, intercepts = true, env = {} }: Variant = {}): Contender {
  return {
    name,
    intercepts,
    thread: 'roundtrip engin',
    async start(around) {
      const { folder, upstreamCa } = around;
      const child = new Child({
        command: process.execPath,
        args: [
          ...[path.join(PROJECT, 'dist', 'cli.cjs'), 'serve', '--json', '--port', '0', '--ui-port', '0'],
          ...['--data-dir', folder, '--session', path.join(folder, 'bench.roundtrip'), '--upstream-ca', upstreamCa],
          ...args,
        ],
        env: { ...nodeEnvironment(around), ...env },
        cwd: folder,
      } satisfies ChildOptions);
      const ready = await child.line<{ proxy: string; ui: string; pid: number }>(START_LIMIT);
      const running = await listening(child, Number(new URL(ready.proxy).port));
      if (!feed) return running;
      const window = await openFeed(ready.ui);
      return {
        ...running,
        stop: async () => {
          window.close();
          await running.stop();
        },
      };
    },
  };
}

interface Variant {
  args?: readonly string[];
  feed?: boolean;
  intercepts?: boolean;
  env?: Readonly<Record<string, string>>;
}

const DIRECT: Contender = {
  name: 'direct',
  intercepts: false,
  thread: null,
  start: async () => ({ proxy: null, pid: null, stop: async () => {} }),
};

export const CONTENDERS: readonly Contender[] = [
  DIRECT,
  script('tunnel', false),
  roundtrip('roundtrip'),
  script('node-framing', true),
  script('node-http', true),
  script('mockttp', true),
  script('http-mitm-proxy', true),
  MITMPROXY,
  ...['http-proxy', 'http-proxy-3', 'httpxy', 'fastify-http-proxy', 'fast-proxy'].map((name) => script(name, false)),
  script('fast-proxy-undici', false, 'fast-proxy.mjs', { undici: true }),
  roundtrip('roundtrip, no interception', { args: ['--no-intercept'], intercepts: false }),
  roundtrip('roundtrip, no keep-alive', { args: ['--no-keep-alive'] }),
  roundtrip('roundtrip, Nagle on', { args: ['--nagle'] }),
  roundtrip('roundtrip, no retry', { args: ['--no-retry'] }),
  roundtrip('roundtrip, no window', { feed: false }),
];

export function contenderOf(name: string): Contender {
  const contender = CONTENDERS.find((each) => each.name === name);
  if (contender) return contender;
  throw new Error(`${name} is no contender: ${CONTENDERS.map((each) => each.name).join(', ')}`);
}

/** Its own folder, made anew. */
export function folderFor(base: string, name: string): string {
  const folder = path.join(base, name.replaceAll(/[^a-z]+/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}
