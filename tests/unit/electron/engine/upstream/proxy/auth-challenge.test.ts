import { describe, expect, it } from 'vitest';
import { readChallenges } from '../../../../../../electron/engine/upstream/proxy/auth-challenge.ts';

const shown = (...values: string[]) =>
  readChallenges(values).map(({ scheme, token, params }) => [scheme, token, Object.fromEntries(params)]);

describe('what a proxy asks for', () => {
  it.each([
    ['Negotiate', [['negotiate', null, {}]]],
    ['NTLM TlRMTVNTUAACAAAA==', [['ntlm', 'TlRMTVNTUAACAAAA==', {}]]],
    ['Basic realm="a \\"b\\", c"', [['basic', null, { realm: 'a "b", c' }]]],
    [
      'Digest realm="r",  nonce="n=",qop="auth,auth-int", stale=TRUE',
      [['digest', null, { realm: 'r', nonce: 'n=', qop: 'auth,auth-int', stale: 'TRUE' }]],
    ],
    [
      'Negotiate, NTLM, Basic realm="x"',
      [
        ['negotiate', null, {}],
        ['ntlm', null, {}],
        ['basic', null, { realm: 'x' }],
      ],
    ],
    ['', []],
    [', ,', []],
  ])('%s', (value, challenges) => {
    expect(shown(value)).toEqual(challenges);
  });

  it('in several fields', () => {
    expect(shown('Digest nonce=a', 'Basic realm=b').map(([scheme]) => scheme)).toEqual(['digest', 'basic']);
  });

  it('ends on bytes of all kinds', () => {
    expect(() => readChallenges(['"'.repeat(5000), `a=${'\\"'.repeat(5000)}`, ' '.repeat(10_000)])).not.toThrow();
  });
});
