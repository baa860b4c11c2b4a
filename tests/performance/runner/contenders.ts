import path from 'node:path';
import { idleRules } from '../rules/idle-rule-list.ts';
import { Child } from './child.ts';
import { type Contender, listening, START_LIMIT } from './contender.ts';
import { HOME, MITMDUMP } from './places.ts';
import { nodeEnvironment } from './profile.ts';
import { roundtrip } from './roundtrip.ts';

/** A contender that is a Node script next to this one. */
function script(name: string, intercepts: boolean, file = `${name}.mjs`, options: unknown = {}): Contender {
  return {
    name,
    intercepts,
    thread: null,
    async start({ folder, upstreamCa, port, origins, profiles }) {
      const child = new Child({
        command: process.execPath,
        args: [path.join(HOME, 'contenders', file), JSON.stringify({ folder, upstreamCa, port, origins, options })],
        env: { ...nodeEnvironment(folder, profiles), NODE_EXTRA_CA_CERTS: upstreamCa },
        cwd: folder,
      });
      const said = await child.line<{ port: number }>(START_LIMIT);
      return await listening(child, said.port);
    },
  };
}

const MITMPROXY: Contender = {
  name: 'mitmproxy',
  intercepts: true,
  thread: null,
  async start({ folder, upstreamCa, port, secondProxy }) {
    const settings = [`confdir=${folder}`, `ssl_verify_upstream_trusted_ca=${upstreamCa}`];
    const mode = secondProxy === null ? [] : ['--mode', `upstream:http://${secondProxy}`];
    const args = ['-q', '--listen-host', '127.0.0.1', '-p', String(port), ...mode];
    return await listening(
      new Child({ command: MITMDUMP, args: [...args, ...settings.flatMap((s) => ['--set', s])] }),
      port,
    );
  },
};

/** No proxy of ours: straight to the origin, or to the second proxy where there is one. */
const DIRECT: Contender = {
  name: 'direct',
  intercepts: false,
  thread: null,
  start: async ({ secondProxy }) => ({
    proxy: secondProxy,
    pid: null,
    ui: null,
    bytesNotKept: () => 0,
    rowsAfter: null,
    stop: async () => {},
  }),
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
  roundtrip('no interception', { args: ['--no-intercept'], intercepts: false }),
  roundtrip('no recording', { settings: { recording: false } }),
  roundtrip('no window', { window: false }),
  roundtrip('no keep-alive', { args: ['--no-keep-alive'] }),
  roundtrip('no retry', { args: ['--no-retry'] }),
  roundtrip('Nagle on', { args: ['--nagle'] }),
  roundtrip('busy polling', { args: ['--busy-poll'] }),
  roundtrip('200 idle rules', { rules: idleRules(200, 'localhost') }),
  roundtrip('with OTLP', { collector: true }),
  roundtrip('reverse listener', { reverse: 'ordinaryPlain', intercepts: false }),
  roundtrip('slow disk waits', { settings: { slowDisk: 'wait' } }),
];

/** `base`: one more, that this run alone knows. Throws if there is none of that name. */
export function contenderOf(name: string, base: Contender | null = null): Contender {
  const contender = [...CONTENDERS, ...(base === null ? [] : [base])].find((each) => each.name === name);
  if (contender) return contender;
  throw new Error(`There is no contender ${name}. Use one of ${CONTENDERS.map((each) => each.name).join(', ')}`);
}
