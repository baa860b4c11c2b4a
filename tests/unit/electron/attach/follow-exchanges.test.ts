import { describe, expect, it } from 'vitest';
import { FollowedExchanges } from '../../../../electron/attach/follow-exchanges.ts';
import type { InspectorApi } from '../../../../shared/contract/inspector-api.ts';
import { type ExchangeSummary, summaryNow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { cellsOf } from '../../../support/sample-inspector/sample-rows.ts';

function row(id: number, state: ExchangeSummary['state'] = 'complete'): ExchangeSummary {
  return summaryNow({ ...exampleExchange(), id, state });
}

/** A host whose rows and events the test decides. */
class ScriptedHost {
  rows: ExchangeSummary[] = [];
  session = 's';
  sequence = 0;
  readonly #listeners = new Map<string, (payload: never) => void>();

  readonly api: InspectorApi = {
    request: async (name, input) => {
      if (name === 'feed.subscribe') return { session: { id: this.session }, sequence: this.sequence } as never;
      const { after } = input as { after: number };
      return { rows: this.rows.filter(({ id }) => id > after), more: false, badRows: 0 } as never;
    },
    on: (event, listener) => {
      this.#listeners.set(event, listener as never);
      return () => undefined;
    },
    onConnection: () => () => undefined,
  };

  batch(sequence: number, rows: ExchangeSummary[], sessionId = this.session): void {
    this.#listeners.get('feed.batch')?.({
      ...{ sessionId, sequence, at: 0, badRows: 0 },
      rows: rows.map(cellsOf),
    } as never);
  }

  change(session: string): void {
    this.session = session;
    this.#listeners.get('session.changed')?.({ id: session } as never);
  }
}

async function following(host: ScriptedHost): Promise<number[]> {
  const ended: number[] = [];
  await FollowedExchanges.follow(host.api, ({ id }) => ended.push(id));
  return ended;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('following exchanges', () => {
  it('reports each exchange once, after it has ended', async () => {
    const host = new ScriptedHost();
    host.rows = [row(1), row(2, 'open')];
    const ended = await following(host);
    host.batch(1, [row(2, 'open'), row(3, 'open')]);
    host.batch(2, [row(3), row(2)]);
    host.batch(3, [row(2), row(1)]);
    await settled();
    expect(ended).toEqual([3, 2]);
  });

  it('reads the rows again after a gap', async () => {
    const host = new ScriptedHost();
    const ended = await following(host);
    host.batch(1, [row(1, 'open'), row(2)]);
    host.rows = [row(1), row(2), row(3)];
    host.batch(4, [row(4)]);
    await settled();
    expect(ended).toEqual([2, 4, 1, 3]);
  });

  it('begins again with a cleared session, and ignores rows of the old one', async () => {
    const host = new ScriptedHost();
    host.rows = [row(7)];
    const ended = await following(host);
    host.rows = [row(1)];
    host.change('t');
    await settled();
    host.batch(1, [row(9)], 's');
    host.batch(1, [row(2)]);
    await settled();
    expect(ended).toEqual([1, 2]);
  });
});
