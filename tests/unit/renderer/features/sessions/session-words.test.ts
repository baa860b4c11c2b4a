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
});

test('the filter looks into name, note and path', () => {
  for (const text of ['', 'LOGIN', ' mondays ', '/data']) expect(matchingSessions([LOGIN], text)).toEqual([LOGIN]);
  expect(matchingSessions([LOGIN], 'checkout')).toEqual([]);
});
