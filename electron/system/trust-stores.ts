import type { TrustChange, TrustStoreName, TrustStoreStatus } from '../../shared/model/trust-store.ts';
import { JavaStore } from './java-store.ts';
import { KeychainStore } from './keychain-store.ts';
import { chromiumPlace, firefoxPlace } from './nss-places.ts';
import { NssStore } from './nss-stores.ts';
import { type Environment, type RunCommand, runCommand } from './run-command.ts';
import { SystemStore } from './system-store.ts';
import type { SystemFamily } from './system-store-families.ts';
import { changeOf, type TrustContext, type TrustStore } from './trust-store.ts';
import { WindowsStore } from './windows-store.ts';

export interface TrustStoresOptions {
  ca: TrustContext['ca'];
  env?: Environment;
  /** Node's `process.platform`. */
  platform?: string;
  run?: RunCommand;
  /** Where Linux's system store is; found where it is left out. */
  systemFamily?: SystemFamily;
}

export interface TrustStores {
  /** Every store of this platform, probed now. */
  status(): Promise<TrustStoreStatus[]>;
  /** One answer for each name, in this order; a store that fails holds up no other. */
  install(names: readonly TrustStoreName[]): Promise<TrustChange[]>;
  /** Likewise; older CAs of ours go too. */
  uninstall(names: readonly TrustStoreName[]): Promise<TrustChange[]>;
}

function storesOf(context: TrustContext, platform: string, family: SystemFamily | undefined): TrustStore[] {
  const firefox = new NssStore(firefoxPlace(context.env, platform), context);
  const java = new JavaStore(context);
  if (platform === 'darwin') return [new KeychainStore(context), firefox, java];
  if (platform === 'win32') return [new WindowsStore(context), firefox, java];
  return [new SystemStore(context, family), new NssStore(chromiumPlace(context.env), context), firefox, java];
}

/** The places of this machine that may trust our CA. Rejects never: each store's own answer says what went wrong. */
export function trustStores(options: TrustStoresOptions): TrustStores {
  const { ca, env = process.env, platform = process.platform, run = runCommand } = options;
  const stores = storesOf({ ca, env, run }, platform, options.systemFamily);

  async function each(
    names: readonly TrustStoreName[],
    change: (store: TrustStore) => Promise<string>,
  ): Promise<TrustChange[]> {
    const changes: TrustChange[] = [];
    for (const name of names) {
      const store = stores.find((one) => one.name === name);
      const absent = { store: name, ok: false, message: `There is no ${name} store on this system.` };
      changes.push(store === undefined ? absent : await changeOf(store, () => change(store)));
    }
    return changes;
  }

  return {
    status: () =>
      Promise.all(stores.map(async (store) => ({ store: store.name, label: store.label, ...(await store.probe()) }))),
    install: (names) =>
      each(names, async (store) => {
        const done = await store.install();
        const { state, detail } = await store.probe();
        if (state !== 'trusted') throw new Error(`${done} It is still not trusted: ${detail}.`);
        return done;
      }),
    uninstall: (names) => each(names, (store) => store.uninstall()),
  };
}
