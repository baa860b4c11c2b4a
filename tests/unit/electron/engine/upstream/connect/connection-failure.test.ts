import { describe, expect, it } from 'vitest';
import { connectError } from '../../../../../../electron/engine/upstream/connect/connection-failure.ts';
import { makeOrigin } from '../../../../../../electron/engine/upstream/origin.ts';

const ORIGIN = makeOrigin(
  { scheme: 'https', host: 'a.test', port: 443, serverName: 'a.test', alpn: [] },
  { proxy: null, others: [], reason: '', override: null },
);
const system = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

describe('a connection that could not be opened', () => {
  // design, "Retry" (a): what another try may change.
  it.each([
    ['ECONNREFUSED', 'upstream.refused', true],
    ['ECONNRESET', 'upstream.reset', true],
    ['EPIPE', 'upstream.reset', true],
    ['EHOSTUNREACH', 'upstream.unreachable', true],
    ['ENETUNREACH', 'upstream.unreachable', true],
    ['EAI_AGAIN', 'upstream.dns-failed', true],
    ['ENOTFOUND', 'upstream.host-not-found', false],
    ['EACCES', 'upstream.connect-failed', false],
  ])('%s: %s, tried again: %j', (code, failure, retry) => {
    const error = connectError(system(code), ORIGIN);
    expect(error).toMatchObject({ failure: { code: failure, cause: code, side: 'upstream' }, retry });
  });

  it('names the address, or the host where that is what was not found', () => {
    expect(connectError(system('ECONNREFUSED'), ORIGIN).failure.message).toContain('a.test:443');
    expect(connectError(system('ENOTFOUND'), ORIGIN).failure.message).toContain('The host a.test ');
  });

  // RFC 8305: Node tries several addresses, and wraps the error of each.
  it("of several addresses reports the first one's failure", () => {
    const error = new AggregateError([system('ECONNREFUSED'), system('ENETUNREACH')]);
    expect(connectError(error, ORIGIN)).toMatchObject({ failure: { code: 'upstream.refused' }, retry: true });
  });

  it('any other thrown value gets a message too, and is not retried', () => {
    expect(connectError('odd', ORIGIN)).toMatchObject({
      failure: { code: 'upstream.connect-failed', message: expect.stringContaining('odd') },
      retry: false,
    });
  });
});
