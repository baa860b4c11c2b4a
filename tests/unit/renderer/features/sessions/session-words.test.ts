import { expect, test } from 'vitest';
import { matchingSessions, sessionFacts } from '../../../../../renderer/features/sessions/session-words.ts';
import type { SessionEntry } from '../../../../../shared/model/session/session-entry.ts';

const LOGIN: SessionEntry = {
  path: '/data/login.roundtrip',
  name: 'Login',
  note: 'slow on Mondays',
  bytes: 2048,
  exchanges: 1,
  startedAt: null,
  ended: 'recovered',
  problem: null,
};

test('the facts leave out what is unknown', () => {
  expect(sessionFacts(LOGIN)).toBe('1 exchange, 2.0 KB, recovered after a crash');
  expect(sessionFacts({ ...LOGIN, exchanges: null, ended: 'closed' })).toBe('2.0 KB, closed');
  const problem = 'It cannot be opened: it is a folder.';
  expect(sessionFacts({ ...LOGIN, exchanges: null, ended: 'closed', problem })).toBe('2.0 KB');
  const loss = 'Its log is damaged.';
  expect(sessionFacts({ ...LOGIN, exchanges: null, problem: loss })).toBe('2.0 KB, recovered after a crash');
});

test('a session named by its date is found by it, and does not repeat it', () => {
  const given = { ...LOGIN, name: '2026-11-24T12-51-24-589Z-01c66972', startedAt: 1_795_000_000_000 };
  expect(sessionFacts(given)).toBe(sessionFacts(LOGIN));
  expect(matchingSessions([given], 'nov 2026')).toEqual([given]);
});

test('the filter looks into name, note and path', () => {
  for (const text of ['', 'LOGIN', ' mondays ', '/data']) expect(matchingSessions([LOGIN], text)).toEqual([LOGIN]);
  expect(matchingSessions([LOGIN], 'checkout')).toEqual([]);
});
