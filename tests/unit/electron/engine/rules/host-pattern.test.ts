import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostPattern, matchesHost } from '../../../../../electron/engine/rules/host-pattern.ts';

describe('a host pattern', () => {
  it.each([
    ['a.test', 'A.TEST', true],
    ['a.test', 'b.a.test', false],
    ['a.test', 'a.test.evil', false],
    ['a.test', 'axtest', false],
    ['*.a.test', 'b.a.test', true],
    ['*.a.test', 'c.b.a.test', true],
    ['*.a.test', 'a.test', false],
    ['*a.test', 'a.test', true],
    ['api*', 'api.test', true],
    ['*', 'anything', true],
    [' a.test ', 'a.test', true],
    ['a+b(c|d)[e]$', 'a+b(c|d)[e]$', true],
    ['::1', '::1', true],
    ['', 'a.test', false],
    ['a*a', 'a', false],
    ['a*b*b', 'ab', false],
    ['a*b*b', 'abb', true],
    ['*b*a*', 'ab', false],
  ])('%j on %s: %j', (pattern, host, matches) => {
    expect(hostPattern(pattern).test(host)).toBe(matches);
  });

  it('a host matches only itself, and between stars also with anything before and after', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (host, other) => {
        expect(hostPattern(host).test(host.toUpperCase())).toBe(true);
        expect(hostPattern(host).test(other)).toBe(host === other);
        expect(hostPattern(`*${host}*`).test(`${other}.${host}.${other}`)).toBe(true);
      }),
    );
  });

  it('agrees with a regular expression, which would take minutes for many stars', () => {
    const text = fc.stringMatching(/^[ab]{0,12}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*]{0,6}$/), text, (pattern, host) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(hostPattern(pattern).test(host)).toBe(expression.test(host));
      }),
      { numRuns: 1000 },
    );
    expect(hostPattern('*a*a*a*a*a*a*b').test('a'.repeat(253))).toBe(false);
  });
});

it('one of several patterns suffices, and an empty list matches nothing', () => {
  expect(matchesHost(['a.*', 'b.*'].map(hostPattern), 'b.test')).toBe(true);
  expect(matchesHost([], 'b.test')).toBe(false);
});
