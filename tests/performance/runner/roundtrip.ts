import path from 'node:path';
import type { RuleList } from '../../../shared/model/rule/rule.ts';
import { Child } from './child.ts';
import { type Contender, listening, START_LIMIT, type Surroundings } from './contender.ts';
import { InspectorClient } from './inspector-client.ts';
import { PROJECT } from './places.ts';
import { nodeEnvironment } from './profile.ts';

/** How a variant differs from the product as it comes. */
export interface Variant {
  args?: readonly string[];
  settings?: Readonly<Record<string, unknown>>;
  rules?: RuleList;
  intercepts?: boolean;
  /** Whether a window listens to its feed. */
  window?: boolean;
  /** The folder of another build. */
  dist?: string;
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

/** The product as people use it: `roundtrip serve`, everything on, its session file on disk, a window listening. */
export function roundtrip(name: string, variant: Variant = {}): Contender {
  const { args = [], intercepts = true, window = true, dist = path.join(PROJECT, 'dist') } = variant;
  return {
    name,
    intercepts,
    thread: THREAD,
    async start(around) {
      around.session?.(sessionOf(around));
      const child = new Child({
        command: process.execPath,
        args: argsOf(around, dist, args),
        env: nodeEnvironment(around.folder, around.profiles),
        cwd: around.folder,
      });
      const { proxy, ui } = await child.line<{ proxy: string; ui: string }>(START_LIMIT);
      const running = await listening(child, Number(new URL(proxy).port));
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
        },
      };
    },
  };
}
