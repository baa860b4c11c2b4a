import { describe, expect, it } from 'vitest';
import { hintFor } from '../../../../../renderer/features/settings/proxy-hint.ts';

const NOTHING = { system: null, detectBy: null, wpadPlace: null };
const SYSTEM = { from: 'the environment variables', names: 'http://proxy.test:3128' };
const PLACE = 'http://wpad.corp.test/wpad.dat';

describe('a hint next to the choice of the proxy', () => {
  it("suggests the system's proxy, or WPAD if the network has it", () => {
    expect(hintFor('none', NOTHING)).toBeNull();
    expect(hintFor('none', { ...NOTHING, system: SYSTEM, wpadPlace: PLACE })).toEqual({
      text: 'The environment variables name http://proxy.test:3128.',
      use: 'system',
    });
    const found = hintFor('none', { ...NOTHING, wpadPlace: PLACE });
    expect(found?.use).toBe('wpad');
    expect(found?.text).toContain(PLACE);
    // Windows sets it by default: it means nothing if nothing can be found.
    expect(hintFor('none', { ...NOTHING, detectBy: "Windows' internet settings" })).toBeNull();
  });

  it("shows the system's proxy if that is chosen", () => {
    expect(hintFor('system', { ...NOTHING, system: SYSTEM })?.use).toBeNull();
    expect(hintFor('system', NOTHING)?.text).toContain('No proxy is configured');
    const set = { ...NOTHING, detectBy: "Windows' internet settings" };
    expect(hintFor('system', set)).toMatchObject({
      use: null,
      text: expect.stringContaining('this network announces no proxy'),
    });
    expect(hintFor('system', { ...set, wpadPlace: PLACE })).toMatchObject({
      use: 'wpad',
      text: expect.stringMatching(/^Windows' internet settings enable proxy detection, and/),
    });
  });

  it('is empty if the choice needs none', () => {
    for (const source of ['manual', 'pac', 'wpad'] as const)
      expect(hintFor(source, { ...NOTHING, system: SYSTEM, wpadPlace: PLACE })).toBeNull();
  });
});
