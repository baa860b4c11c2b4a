import { expect, test } from 'vitest';
import { comparedPhases } from '../../../../../renderer/features/inspector/compared-phases.ts';
import { NO_TIMINGS } from '../../../../../shared/model/timings.ts';

test('phases that only one of two exchanges had are in order', () => {
  const reused = { ...NO_TIMINGS, blocked: 1, send: 2, wait: 30, receive: 4 };
  const fresh = { ...reused, dns: 5, connect: 20, ssl: 12 };
  const phases = comparedPhases(reused, fresh);
  expect(phases.map(({ key }) => key)).toEqual(['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive']);
  expect(phases[3]).toMatchObject({ key: 'ssl', label: 'TLS', own: undefined, other: { start: 14, duration: 12 } });
  expect(phases[5]).toMatchObject({ own: { start: 3 }, other: { start: 28 } });
  expect(comparedPhases(reused, null).every(({ other }) => other === undefined)).toBe(true);
});

test('the time that rules and the throttle held a message has its phases', () => {
  const held = { ...NO_TIMINGS, blocked: 9, rules: 8, send: 5, rulesSend: 4, wait: 3, receive: 7, rulesResponse: 6 };
  const phases = comparedPhases(held, null).map(({ key, own }) => [key, own?.duration]);
  expect(phases).toEqual([
    ['blocked', 1],
    ['rules', 8],
    ['send', 1],
    ['heldBody', 4],
    ['wait', 3],
    ['held', 6],
    ['receive', 1],
  ]);
});
