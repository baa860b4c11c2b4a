import { WebSocketTransport } from '../../renderer/platform/web-socket-transport.ts';
import { ExchangeTable } from '../../renderer/state/exchange-table.ts';
import { HostClock } from '../../renderer/state/host-clock.ts';
import { createWindowStore, logProblem } from '../../renderer/state/window-state.ts';
import { FeedSync } from '../../renderer/sync/feed-sync.ts';
import { connectInspector } from '../../shared/client/connect-inspector.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';

const FRAME = 16;
const LOOK = 100;

/** A window without a screen: the renderer's own connection, feed and table, over the web host's WebSocket. */
export class SoakWindow {
  readonly api: InspectorApi;
  readonly #table = new ExchangeTable();
  readonly #store = createWindowStore();

  /** `ui`: the address with its token, as the ready event gives it. */
  constructor(ui: string) {
    const { host, hash } = new URL(ui);
    const transport = new WebSocketTransport(`ws://${host}/inspector?${hash.slice(1)}`);
    this.api = connectInspector(transport, (sentence) => logProblem(this.#store, sentence));
    const nextFrame = (run: () => void): void => {
      setTimeout(run, FRAME);
    };
    new FeedSync(this.api, this.#table, this.#store, { clock: new HostClock(), nextFrame }).start();
  }

  /** Rows that it has. */
  get rows(): number {
    return this.#table.size;
  }

  /** Messages from the host outside the contract. */
  get problems(): readonly string[] {
    return this.#store.getState().problems;
  }

  /** Waits until it has this many rows. False if it does not after `limit` milliseconds. */
  async has(rows: number, limit: number): Promise<boolean> {
    const until = performance.now() + limit;
    while (this.rows < rows) {
      if (performance.now() > until) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return true;
  }

  async loaded(): Promise<void> {
    while (!this.#store.getState().loaded) await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}
