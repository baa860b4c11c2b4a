import { expect, it } from 'vitest';
import { InterceptDecision } from '../../../../../electron/engine/rules/intercept-decision.ts';

it.each([
  [true, [], 'a.test', true],
  [true, ['*.bank.test'], 'www.bank.test', false],
  [true, ['*.bank.test'], 'bank.test', true],
  [true, ['a.test', 'b.test'], 'B.test', false],
  [false, [], 'a.test', false],
  [false, ['b.test'], 'a.test', false],
])('interception %j, passed through %j: %s is intercepted: %j', (intercept, passthroughHosts, host, is) => {
  expect(new InterceptDecision({ intercept, passthroughHosts }).intercepts(host)).toBe(is);
});
