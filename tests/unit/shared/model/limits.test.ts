import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, LIMIT_NAMES, LIMITS, limitProblem, limitsOf } from '../../../../shared/model/limits.ts';

it('has the values of the design', () => {
  // "Sockets": 256, 64 idle; "Retry": 1 MiB; "HTTP/2": one stream fills 100 Mbit/s x 100 ms.
  expect(DEFAULT_LIMITS).toMatchObject({ socketsPerOrigin: 256, idleSocketsPerOrigin: 64, resendBytes: 2 ** 20 });
  expect(DEFAULT_LIMITS.http2StreamWindow).toBeGreaterThanOrEqual((100e6 / 8) * 0.1);
});

it('no limit defeats another', () => {
  const { http2ConnectionWindow, http2StreamWindow, socketsPerOrigin, idleSocketsPerOrigin } = DEFAULT_LIMITS;
  expect(http2ConnectionWindow).toBeGreaterThan(http2StreamWindow);
  expect(idleSocketsPerOrigin).toBeLessThan(socketsPerOrigin);
});

it.each(LIMIT_NAMES)('%s: its default is in its range, and its range is what Node and HTTP/2 can hold', (name) => {
  const { value, min, max, reason } = LIMITS[name];
  expect([value, min, max].map((each) => limitProblem(name, each))).toEqual([null, null, null]);
  expect(limitProblem(name, min - 1)).toContain(`from ${min} to ${max}`);
  expect(limitProblem(name, max + 1)).toContain(`omit it for ${value}`);
  // Timers, and windows (RFC 9113, section 6.9.1).
  expect(max).toBeLessThan(2 ** 31);
  expect(reason).toMatch(/^[A-Z].*\.$/);
});

it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
  expect(limitProblem('headBytes', value)).toContain('give a whole number');
});

it('lists the known limits if one is unknown', () => {
  expect(limitProblem('headBites', 1)).toContain('headBytes');
  expect(limitProblem('constructor', 1)).toContain('there is no limit');
});

it('lets given values override the defaults', () => {
  expect(limitsOf({ headBytes: 9000 })).toEqual({ ...DEFAULT_LIMITS, headBytes: 9000 });
});

it('docs/limits.md lists them all', () => {
  const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/limits.md'), 'utf8');
  const rows = LIMIT_NAMES.map((name) => {
    const { title, value, min, max, unit, reason } = LIMITS[name];
    return `| \`${name}\` | ${title} | ${value} | ${min} to ${max} | ${unit} | ${reason} |`;
  });
  expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
