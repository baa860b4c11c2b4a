import { describe, expect, it } from 'vitest';
import { BadArguments } from '../../../../../electron/headless/bad-arguments.ts';
import { parseCommandLine } from '../../../../../electron/headless/options.ts';
import { LAB_VARIANTS } from '../../../../../shared/model/lab/lab-result.ts';

describe('roundtrip lab', () => {
  it('measures everything at three round-trip times by default', () => {
    const line = parseCommandLine(['lab', '/tmp/page.har']);
    const options = { page: 1, variants: LAB_VARIANTS, rtts: [0, 20, 100], bandwidth: 0, runs: 7 };
    expect(line).toEqual({ command: 'lab', source: '/tmp/page.har', ...options, html: null, json: false });
  });

  it('uses the given values', () => {
    const args = ['--page', '2', '--rtt', '5,0.5', '--runs', '9', '--bandwidth', '1.5', '--variants', 'nagle,http1'];
    const line = parseCommandLine(['lab', '/tmp/a', ...args, '--html', '/tmp/r.html', '--json']);
    const options = { page: 2, variants: ['nagle', 'http1'], rtts: [5, 0.5], bandwidth: 1.5, runs: 9 };
    expect(line).toMatchObject({ ...options, html: '/tmp/r.html', json: true });
  });

  it.each([
    [[], 'lab needs a session file or HAR'],
    [['a', 'b'], 'unexpected argument "b"'],
    [['a', '--runs', '0'], '--runs "0" is not valid: use a number from 1 to 1000'],
    [['a', '--runs', '1.5'], '--runs needs a whole number'],
    [['a', '--rtt', '20,'], '--rtt "" is not valid: use a number from 0 to 5000'],
    [['a', '--variants', 'http3'], '--variants: "http3" is not one of'],
    [['a', '--html', ''], '--html needs a value'],
  ])('refuses %j', (args, sentence) => {
    expect(() => parseCommandLine(['lab', ...args])).toThrow(BadArguments);
    expect(() => parseCommandLine(['lab', ...args])).toThrow(sentence);
  });
});
