import * as v from 'valibot';
import { ClientSchema, LauncherSchema, RecentCommandSchema, RecipeSchema } from '../../model/client.ts';
import { SystemProxyStatusSchema } from '../../model/proxy/system-proxy.ts';
import { Count, Nothing } from './request-parts.ts';

/** `urls`: pages with setup instructions for a device; empty while the proxy is not open to devices. */
const DevicesSchema = v.object({ open: v.boolean(), urls: v.array(v.string()) });

/** `canChoose`: this host has a dialog for `commands.choose`. */
const RecentSchema = v.object({ commands: v.array(RecentCommandSchema), canChoose: v.boolean() });

/** Requests about the clients of the proxy: programs, the system, devices. */
export const CLIENT_REQUESTS = {
  'launchers.list': {
    input: Nothing,
    output: v.object({ launchers: v.array(LauncherSchema), recipes: v.array(RecipeSchema) }),
  },
  'system-proxy.status': { input: Nothing, output: SystemProxyStatusSchema },
  /** The previous setting is saved on disk, and restored when this is turned off, on exit, or after a crash. */
  'system-proxy.set': { input: v.strictObject({ on: v.boolean() }), output: SystemProxyStatusSchema },
  'devices.status': { input: Nothing, output: DevicesSchema },
  /** Whether other machines on the network can reach the proxy; not remembered. Changing it restarts connections. */
  'devices.set': { input: v.strictObject({ open: v.boolean() }), output: DevicesSchema },
  'clients.list': { input: Nothing, output: v.object({ clients: v.array(ClientSchema) }) },
  /**
   * Starts it, set up for this proxy and trusting our CA; nothing else is touched. `url`: null, or where a browser goes
   * once it is checked.
   */
  'clients.launch': {
    input: v.strictObject({ launcher: v.string(), url: v.nullable(v.string()) }),
    output: ClientSchema,
  },
  /**
   * Opens a terminal that shows the command, set up for this proxy, and runs it when the user presses Enter there. As
   * `electron` it also gets Chromium's switches for a proxy and our CA; it may be the path of an app.
   */
  'clients.run': { input: RecentCommandSchema, output: ClientSchema },
  /** Checks a client again; null: one that its user opens `url` in. */
  'clients.check': {
    input: v.strictObject({ id: v.nullable(Count) }),
    output: v.object({ client: ClientSchema, url: v.string(), opened: v.boolean() }),
  },
  /** Ends the client if it was started here, and forgets it. */
  'clients.remove': { input: v.strictObject({ id: Count }), output: Nothing },
  /** Commands run so far, most recent first. */
  'commands.recent': { input: Nothing, output: RecentSchema },
  'commands.forget': { input: RecentCommandSchema, output: RecentSchema },
  /** Lets the user choose a program; returns it as a command line, or null if none was chosen. */
  'commands.choose': {
    input: v.strictObject({ as: RecentCommandSchema.entries.as }),
    output: v.object({ command: v.nullable(v.string()) }),
  },
} as const;
