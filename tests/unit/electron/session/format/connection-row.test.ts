import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../../../../electron/session/format/connection-row.ts';
import { EXAMPLE_UPSTREAM } from '../../../../support/example-exchange.ts';

const END = { at: 1, by: 'upstream', why: 'idle', code: null, windowBlocked: 0 };
const ROW = {
  id: 7,
  side: 'upstream',
  protocol: 'h2',
  local_address: '127.0.0.1:1',
  remote_address: null,
  via: null,
  tls: JSON.stringify(EXAMPLE_UPSTREAM.tls),
  ended: JSON.stringify(END),
};
const WHOLE = {
  ...{ id: 7, protocol: 'h2', localAddress: '127.0.0.1:1', remoteAddress: null, via: null, reused: true },
  ...{ tls: EXAMPLE_UPSTREAM.tls, end: END },
};

describe('a connection of a session file', () => {
  it('has what its row has', () => {
    expect(connectionOf(ROW, true)).toEqual(WHOLE);
    const { end: _, ...open } = WHOLE;
    expect(connectionOf({ ...ROW, tls: null, ended: null }, true)).toEqual({ ...open, tls: null });
  });

  it('shares the object of its TLS with others', () => {
    expect(connectionOf({ ...ROW, id: 9 }, false).tls).toBe(connectionOf(ROW, true).tls);
  });

  it('lacks what is damaged', () => {
    const { end: _, ...open } = WHOLE;
    for (const damaged of ['{', '{"version":1}', 5])
      expect(connectionOf({ ...ROW, tls: damaged, ended: damaged }, true)).toEqual({ ...open, tls: null });
    const unknown = { localAddress: null, remoteAddress: null, via: null, tls: null };
    for (const cell of [{ protocol: 'h9' }, { local_address: 5 }, { via: new Uint8Array(2) }])
      expect(connectionOf({ ...ROW, ...cell }, true)).toEqual({ id: 7, protocol: 'unknown', reused: true, ...unknown });
  });
});
