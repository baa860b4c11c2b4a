import path from 'node:path';
import type { RuleList } from '../../../shared/model/rule/rule.ts';
import { Child } from './child.ts';
import { type Contender, listening, START_LIMIT, type Surroundings } from './contender.ts';
import { InspectorClient } from './inspector-client.ts';
import { HOME, PROJECT } from './places.ts';
import { nodeEnvironment } from './profile.ts';
import type { OriginPorts } from './scenario.ts';

/** How a variant differs from the default product. */
export interface Variant {
  args?: readonly string[];
  settings?: Readonly<Record<string, unknown>>;
  rules?: RuleList;
  intercepts?: boolean;
  /** Whether a window listens to its feed. */
  window?: boolean;
  /** Whether it exports to a collector, which takes everything and keeps nothing. */
  collector?: boolean;
  /** Clients connect to a reverse listener for this origin. */
  reverse?: keyof OriginPorts;
  /** The folder of another build. */
  dist?: string;
}

async function openCollector({ folder }: Surroundings): Promise<{ args: string[]; stop: () => Promise<void> }> {
  const child = new Child({
    command: process.execPath,
    args: [path.join(HOME, 'contenders', 'collector.mjs')],
    cwd: folder,
  });
  const { port } = await child.line<{ port: number }>(START_LIMIT);
  return { args: ['--otlp', `http://127.0.0.1:${port}`], stop: () => child.stop() };
}

function sessionOf({ folder }: Surroundings): string {
  return path.join(folder, 'bench.roundtrip');
}

function argsOf(around: Surroundings, dist: string, extra: readonly string[]): string[] {
  const { folder, upstreamCa, secondProxy } = around;
  return [
    ...[path.join(dist, 'cli.cjs'), 'serve', '--json', '--port', '0', '--ui-port', '0'],
    ...['--data-dir', folder, '--session', sessionOf(around), '--upstream-ca', upstreamCa],
    ...(secondProxy === null ? [] : ['--upstream-proxy', `http://${secondProxy}`]),
    ...extra,
  ];
}

async function settle(
  client: InspectorClient,
  { settings, rules, window = true }: Variant,
  page: boolean,
): Promise<void> {
  if (settings) await client.call('settings.update', settings);
  if (rules) await client.call('rules.update', { rules });
  if (window && !page) await client.call('feed.subscribe', {});
}

const THREAD = 'roundtrip engin';

/** The line that says it is ready. */
interface Ready {
  proxy: string;
  ui: string;
  reverse?: { url: string }[];
}

/** The product as people use it: `roundtrip serve`, everything on, its session file on disk, a window listening. */
export function roundtrip(name: string, variant: Variant = {}): Contender {
  const { args = [], intercepts = true, window = true, dist = path.join(PROJECT, 'dist') } = variant;
  return {
    name,
    intercepts,
    thread: THREAD,
    async start(around) {
      around.session?.(sessionOf(around));
      const collector = variant.collector ? await openCollector(around) : null;
      const reverse = variant.reverse ? ['--reverse', `0=http://localhost:${around.origins[variant.reverse]}`] : [];
      const child = new Child({
        command: process.execPath,
        args: argsOf(around, dist, [...args, ...reverse, ...(collector?.args ?? [])]),
        env: nodeEnvironment(around.folder, around.profiles),
        cwd: around.folder,
      });
      const { proxy, ui, reverse: listeners = [] } = await child.line<Ready>(START_LIMIT);
      const running = await listening(child, Number(new URL(listeners[0]?.url ?? proxy).port));
      const client = await InspectorClient.open(ui);
      const openPage = window ? around.openPage : null;
      await settle(client, variant, openPage !== null);
      const page = await openPage?.(ui);
      return {
        ...running,
        ui,
        bytesNotKept: () => client.bytesNotKept,
        rowsAfter: (after) => client.rowsAfter(after),
        stop: async () => {
          client.close();
          await page?.close();
          await running.stop();
          await collector?.stop();
        },
      };
    },
  };
}
