import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProxyHints, type HintSources } from '../../../../../electron/commands/services/proxy-hints.ts';
import type { SystemProxy } from '../../../../../shared/model/proxy/proxy-facts.ts';

const SYSTEM: SystemProxy = {
  from: 'a test',
  http: null,
  https: 'http://ann:s3cret@proxy.test:3128',
  other: null,
  bypass: [],
  pac: null,
};
const sources = (change: Partial<HintSources>): HintSources => ({
  readSystem: async () => null,
  readAutoDetect: async () => null,
  readWpadPlaces: async () => [],
  resolves: async () => false,
  ...change,
});
const NOTHING = { system: null, detectBy: null, wpadPlace: null };

describe('proxies that are known before one is set', () => {
  it("is the system's, without its login, and the first place of WPAD that has an address", async () => {
    const places = ['http://wpad.a.corp.test/wpad.dat', 'http://wpad.corp.test/wpad.dat', 'http://10.0.0.1/x.pac'];
    const found = await findProxyHints(
      sources({
        readSystem: async () => SYSTEM,
        readAutoDetect: async () => 'a desktop',
        readWpadPlaces: async () => places,
        resolves: async (host) => host === 'wpad.corp.test',
      }),
    );
    expect(found).toEqual({
      system: { from: 'a test', names: 'http://proxy.test:3128' },
      detectBy: 'a desktop',
      wpadPlace: 'http://wpad.corp.test/wpad.dat',
    });
    const pac = { ...SYSTEM, pac: 'http://ann:s3cret@a.test/a.pac' };
    const named = await findProxyHints(sources({ readSystem: async () => pac, readWpadPlaces: async () => places }));
    expect(named.system?.names).toBe('http://a.test/a.pac');
    // An address needs no looking up.
    expect(named.wpadPlace).toBe('http://10.0.0.1/x.pac');
  });

  it('is empty if nothing valid is set', async () => {
    expect(await findProxyHints(sources({}))).toEqual(NOTHING);
    const odd = { ...SYSTEM, https: 'gopher://a' };
    expect(await findProxyHints(sources({ readSystem: async () => odd }))).toEqual(NOTHING);
  });

  describe('in time', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('without sources that take too long', async () => {
      const found = findProxyHints(
        sources({ readSystem: () => new Promise(() => {}), readAutoDetect: async () => 'a desktop' }),
      );
      await vi.advanceTimersByTimeAsync(3_000);
      expect(await found).toEqual({ ...NOTHING, detectBy: 'a desktop' });
    });
  });
});
