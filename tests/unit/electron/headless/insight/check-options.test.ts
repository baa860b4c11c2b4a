import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCommand } from '../../../../../electron/headless/insight/check-options.ts';

describe('roundtrip check', () => {
  it.each([
    ['a', ['a'], []],
    ['a --baseline b', ['a'], ['b']],
    ['a1 a2 --baseline b1 b2 --baseline b3', ['a1', 'a2'], ['b1', 'b2', 'b3']],
    ['--baseline b a', ['a'], ['b']],
  ])('reads %s', (line, sources, baselines) => {
    const command = checkCommand([...line.split(' '), '--budget', 'x.json', '--html', 'r.html']);
    expect(command).toMatchObject({ sources, baselines, budget: 'x.json', html: path.resolve('r.html'), junit: null });
  });

  it.each([
    [['--budget', 'x'], 'needs a source'],
    [['a'], 'needs --budget'],
    [['a', '--budget', 'x', '--frobnicate'], 'frobnicate'],
  ])('refuses %j', (args, message) => {
    expect(() => checkCommand(args)).toThrow(message);
  });
});
