import type { TrustChange, TrustStoreName, TrustStoreStatus } from '../../../shared/model/trust-store.ts';
import { describe } from '../../failures/errors.ts';
import { type Environment, type RunCommand, runCommand } from '../run-command.ts';
import { environmentStores } from './environment-stores.ts';
import { findJavas } from './java.ts';
import { JavaStore } from './java-store.ts';
import { loginKeychain, systemKeychain } from './keychain-store.ts';
import { chromiumPlaces, firefoxPlaces, type NssPlace } from './nss-places.ts';
import { NssStore } from './nss-store.ts';
import type { ProofServer } from './proof-server.ts';
import { SystemStore } from './system-store.ts';
import type { SystemFamily } from './system-store-families.ts';
import { absentStore, type TrustContext, type TrustStore } from './trust-store.ts';
import { WindowsStore } from './windows-store.ts';

export interface TrustStoresOptions {
  ca: Omit<TrustContext['ca'], 'former'> & { former?: readonly string[] };
  env?: Environment;
  /** Node's `process.platform`. */
  platform?: string;
  run?: RunCommand;
  isRoot?: boolean;
  /** Where Linux's system store is; found if it is left out. */
  systemFamily?: SystemFamily;
  /** For the handshake that verifies an installation; without it, only a probe does. */
  startProof?: () => Promise<ProofServer>;
}

export interface TrustStores {
  /** Every store of this platform, or those of these kinds and ids, probed now. */
  status(selectors?: readonly string[]): Promise<TrustStoreStatus[]>;
  /** `selectors`: kinds or ids. Returns one result per store; a failure does not affect the other stores. */
  install(selectors: readonly string[]): Promise<TrustChange[]>;
  /** Likewise; also removes our older CAs. */
  uninstall(selectors: readonly string[]): Promise<TrustChange[]>;
}

function nssStores(places: readonly NssPlace[], none: TrustStore, context: TrustContext): TrustStore[] {
  return places.length === 0 ? [none] : places.map((place) => new NssStore(place, context));
}

function firefoxStores(context: TrustContext): TrustStore[] {
  // Since Firefox 120; and Windows lacks NSS's certutil.
  if (context.platform === 'win32') return [absentStore('firefox', 'Firefox', 'it uses the Windows store here')];
  const none = absentStore('firefox', 'Firefox', 'no Firefox profile was found');
  return nssStores(firefoxPlaces(context.env, context.platform), none, context);
}

function javaStores(context: TrustContext): TrustStore[] {
  const javas = findJavas(context.env, context.platform);
  if (javas.length === 0) return [absentStore('java', 'Java', 'no Java with a keytool was found')];
  return javas.map((java) => new JavaStore(java, context));
}

function storesOf(context: TrustContext, family: SystemFamily | undefined): TrustStore[] {
  const others = [...firefoxStores(context), ...javaStores(context), ...environmentStores(context)];
  if (context.platform === 'darwin') return [loginKeychain(context), systemKeychain(context), ...others];
  if (context.platform === 'win32') return [new WindowsStore(context), ...others];
  const none = absentStore('nss', 'Chromium', 'no folder for its database');
  return [new SystemStore(context, family), ...nssStores(chromiumPlaces(context.env), none, context), ...others];
}

async function statusOf(store: TrustStore): Promise<TrustStoreStatus> {
  const { id, store: kind, label, needs } = store;
  return { id, store: kind, label, needs, ...(await store.probe()) };
}

/** Installs the CA, probes the store and, if it has a client here, tests it by a handshake. Returns what was done. */
async function install(store: TrustStore, proof: ProofServer | null): Promise<string> {
  const done = await store.install();
  const { state, detail } = await store.probe();
  if (state !== 'trusted') throw new Error(`${done} It is still not trusted: ${detail}.`);
  const shaken = proof === null ? null : ((await store.handshake?.(proof)) ?? null);
  if (shaken === false) throw new Error(`${done} The store lists it, but a TLS client that uses the store rejects it.`);
  return `${done} ${shaken ? 'A TLS handshake confirmed it.' : 'A probe confirmed it.'}`;
}

async function uninstall(store: TrustStore): Promise<string> {
  const done = await store.uninstall();
  const { state, detail } = await store.probe();
  if (state === 'trusted' || state === 'stale') throw new Error(`${done} It is still there: ${detail}.`);
  return done;
}

async function changeOf({ id, store, label }: TrustStore, change: () => Promise<string>): Promise<TrustChange> {
  try {
    return { id, store, label, ok: true, message: await change() };
  } catch (error) {
    return { id, store, label, ok: false, message: describe(error) };
  }
}

function absentChange(selector: string): TrustChange {
  const store = selector.split(':', 1)[0] as TrustStoreName;
  return { id: selector, store, label: store, ok: false, message: `There is no ${selector} store on this system.` };
}

/** The stores of this machine that may trust our CA. Never rejects: each store's result says what went wrong. */
export function trustStores(options: TrustStoresOptions): TrustStores {
  const { ca, env = process.env, platform = process.platform, run = runCommand } = options;
  const isRoot = options.isRoot ?? process.getuid?.() === 0;
  const onTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const context = { ca: { ...ca, former: ca.former ?? [] }, env, run, platform, isRoot, onTerminal };
  // Searched each time: a browser may have created its first profile since.
  const stores = (): TrustStore[] => storesOf(context, options.systemFamily);

  async function each(
    selectors: readonly string[],
    change: (store: TrustStore) => Promise<string>,
  ): Promise<TrustChange[]> {
    const here = stores();
    const chosen = new Map<string, TrustStore | null>();
    for (const selector of selectors) {
      const fitting = here.filter(({ id, store }) => id === selector || store === selector);
      for (const store of fitting) chosen.set(store.id, store);
      if (fitting.length === 0) chosen.set(selector, null);
    }
    const changes: TrustChange[] = [];
    for (const [selector, store] of chosen) {
      changes.push(store === null ? absentChange(selector) : await changeOf(store, () => change(store)));
    }
    return changes;
  }

  return {
    status: (selectors) => {
      const wanted = ({ id, store }: TrustStore) => !selectors || selectors.includes(id) || selectors.includes(store);
      return Promise.all(stores().filter(wanted).map(statusOf));
    },
    install: async (selectors) => {
      const proof = (await options.startProof?.().catch(() => null)) ?? null;
      const changes = await each(selectors, (store) => install(store, proof));
      await proof?.close();
      return changes;
    },
    uninstall: (selectors) => each(selectors, uninstall),
  };
}
