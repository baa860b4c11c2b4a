import { describe, expect, it } from 'vitest';
import { draftOf, problemOf, settingsOf, targetOf } from '../../../../../renderer/features/settings/proxy-draft.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../../shared/model/settings.ts';

const SET: Settings = {
  ...DEFAULT_SETTINGS,
  upstreamProxy: { enabled: true, url: 'http://proxy.test:3128' },
  proxySource: 'pac',
  proxyPac: '/etc/proxy.pac',
  proxyLogin: { user: 'ann', password: '***' },
  proxyBypass: ['a.test', '10.0.0.0/8'],
};

describe('the form about the proxy', () => {
  it('gives back what it was given', () => {
    expect({ ...SET, ...settingsOf(draftOf(SET), SET) }).toEqual(SET);
    const off = { ...SET, upstreamProxy: { ...SET.upstreamProxy, enabled: false } };
    expect({ ...off, ...settingsOf(draftOf(off), off) }).toEqual(off);
  });

  it('accepts any separator, and no password without a user', () => {
    const draft = { ...draftOf(SET), bypass: ' a.test, b.test;\n\n*.c.test ', user: ' ' };
    expect(settingsOf(draft, SET)).toMatchObject({
      proxyBypass: ['a.test', 'b.test', '*.c.test'],
      proxyLogin: { user: '', password: '' },
    });
  });

  it.each([
    [{ source: 'manual' as const, url: '' }, 'Enter an address'],
    [{ source: 'manual' as const, url: 'ftp://a.test' }, 'ftp:// is not supported'],
    [{ source: 'pac' as const, pac: ' ' }, 'PAC file'],
  ])('reports what is wrong with %j', (part, sentence) => {
    expect(problemOf({ ...draftOf(SET), ...part })).toContain(sentence);
  });

  it.each([
    [{ source: 'none' as const, url: '' }],
    [{ source: 'system' as const, url: '' }],
    [{ source: 'manual' as const, url: 'socks5h://a.test' }],
  ])('finds nothing wrong with %j', (part) => {
    expect(problemOf({ ...draftOf(SET), ...part })).toBeNull();
  });

  it.each([
    ['a.test', 'a.test:443'],
    ['a.test:8443', 'a.test:8443'],
    ['https://a.test/path?x', 'a.test:443'],
    ['[::1]:1', '[::1]:1'],
    ['a b', null],
    ['', null],
  ])('tests with %j', (text, target) => {
    expect(targetOf(text)).toBe(target);
  });
});
