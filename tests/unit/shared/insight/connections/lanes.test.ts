import { describe, expect, it } from 'vitest';
import { lanesOf } from '../../../../../shared/insight/connections/lanes.ts';
import { summaryNow } from '../../../../../shared/model/exchange-summary.ts';
import type { Timings } from '../../../../../shared/model/timings.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';

const REUSED: Partial<Timings> = { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 10, receive: 5 };
const OPENED: Partial<Timings> = { ...REUSED, dns: 2, connect: 30, ssl: 20 };

function row(id: number, connection: number, startedAt: number, timings: Partial<Timings>) {
  return summaryNow(exampleExchange({ id, startedAt, timings, upstream: { ...EXAMPLE_UPSTREAM, id: connection } }));
}

describe('the lanes of connections', () => {
  it('has the phases of opening from the exchange that opened the connection', () => {
    const [lane] = lanesOf([row(1, 7, 1000, OPENED)], 'upstream');
    expect(lane).toMatchObject({ id: 7, openedAt: 1000, dns: 2, tcp: 10, tls: 20, depth: 1, idle: 0, saved: 0 });
    expect(lane?.streams).toEqual([{ id: 1, from: 1032, firstByte: 1042, to: 1047, level: 0 }]);
  });

  it('counts idle time and what reuse saved', () => {
    const [lane] = lanesOf([row(1, 7, 1000, OPENED), row(2, 7, 1100, REUSED)], 'upstream');
    expect(lane).toMatchObject({ idle: 53, saved: 32, depth: 1 });
  });

  it('stacks streams that overlap', () => {
    const rows = [row(1, 7, 1000, REUSED), row(2, 7, 1001, REUSED), row(3, 7, 1016, REUSED)];
    const [lane] = lanesOf(rows, 'upstream');
    expect(lane?.streams.map(({ level }) => level)).toEqual([0, 1, 0]);
    expect(lane).toMatchObject({ depth: 2, saved: -1 });
  });

  it("groups by the client's connections on the other side", () => {
    const lanes = lanesOf([row(1, 7, 1000, OPENED), row(2, 8, 1100, OPENED)], 'client');
    expect(lanes.map(({ id, streams }) => [id, streams.length])).toEqual([[1, 2]]);
  });

  it('groups 100,000 rows of 10,000 connections', () => {
    const rows = Array.from({ length: 100_000 }, (_each, id) => row(id, 1 + (id % 10_000), 1000 + id, REUSED));
    expect(lanesOf(rows, 'upstream')).toHaveLength(10_000);
  });
});
