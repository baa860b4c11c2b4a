import type { CommandContext } from '../../electron/commands/handlers/command-context.ts';
import type { HostServices } from '../../electron/commands/host-services.ts';
import { Windows } from '../../electron/commands/windows.ts';
import type { Notice } from '../../shared/contract/envelope.ts';

/** Services that record any use and fail: a refused message must never reach them. */
export function unreachableHost(): { context: CommandContext; reached: string[]; notices: Notice[] } {
  const reached: string[] = [];
  const notices: Notice[] = [];
  const trap = (name: string): object =>
    new Proxy(
      {},
      {
        get: (_target, key) => {
          reached.push(`${name}.${String(key)}`);
          throw new Error(`${name}.${String(key)} was reached\n    at secret-place.ts:1`);
        },
      },
    );
  const host = Object.fromEntries(
    ['info', 'recording', 'settings', 'trust', 'clients', 'systemProxy', 'files'].map((name) => [name, trap(name)]),
  ) as unknown as HostServices;
  const windows = new Windows(
    () => undefined,
    () => undefined,
  );
  const window = windows.add((notice) => notices.push(notice));
  return { context: { host, windows, window }, reached, notices };
}
