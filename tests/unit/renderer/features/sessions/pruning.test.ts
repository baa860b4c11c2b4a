import { expect, test } from 'vitest';
import type { App } from '../../../../../renderer/features/app-context.ts';
import {
  deleteSessions,
  inUseInWords,
  lastingLimits,
  limitsInWords,
  limitsOf,
  sessionsTotal,
  textsOf,
} from '../../../../../renderer/features/sessions/pruning.ts';
import { createWindowStore } from '../../../../../renderer/state/window-state.ts';
import { InspectorError } from '../../../../../shared/contract/envelope.ts';
import type { SessionEntry } from '../../../../../shared/model/session/session-entry.ts';

function entry(name: string, bytes = 1024): SessionEntry {
  const known = { note: '', exchanges: 1, startedAt: 0, ended: 'closed', problem: null } as const;
  return { ...known, path: `/s/${name}.roundtrip`, name, bytes };
}

test.each([
  ['30', '', { olderThanDays: 30, overBytes: null }],
  ['', '1.5', { olderThanDays: null, overBytes: 1_610_612_736 }],
  ['', '1,5', { olderThanDays: null, overBytes: 1_610_612_736 }],
  [' 0 ', '0', { olderThanDays: 0, overBytes: 0 }],
])('%j days and %j GB are limits', (days, gigabytes, limits) => {
  expect(limitsOf(days, gigabytes)).toEqual(limits);
});

test.each([
  ['', ''],
  ['1.5', ''],
  ['-1', ''],
  ['x', '1'],
  ['1', '1 GB'],
  ['', '1e3'],
])('%j days and %j GB are not limits, and delete nothing', (days, gigabytes) => {
  expect(limitsOf(days, gigabytes)).toBeNull();
});

test('states how many sessions, and their size', () => {
  expect(sessionsTotal([entry('a')])).toBe('1 session (1.0 KB)');
  expect(sessionsTotal([entry('a'), entry('b', 3072)])).toBe('2 sessions (4.0 KB)');
});

test('deletes exactly what it was given, and stops at the first that can’t be deleted', async () => {
  const asked: string[] = [];
  const store = createWindowStore();
  const request = async (_name: string, { path }: { path: string }) => {
    asked.push(path);
    if (path.includes('b.'))
      throw new InspectorError({ code: 'session.file-failed', message: 'It is being recorded.' });
    return { sessions: [entry('left')] };
  };
  const left: SessionEntry[][] = [];
  const app = { api: { request }, store } as unknown as App;
  const gone = await deleteSessions(app, [entry('a'), entry('b'), entry('c')], (each) => left.push(each));
  expect(asked).toEqual(['/s/a.roundtrip', '/s/b.roundtrip']);
  expect(gone).toEqual([entry('a')]);
  expect(left).toEqual([[entry('left')]]);
  expect(store.getState().toasts).toMatchObject([{ message: 'It is being recorded.' }]);
});

test('limits that last: off without texts, unchanged by bad ones and by those that leave nothing', () => {
  const before = { olderThanDays: 30, overBytes: null };
  expect(lastingLimits('', ' ', before)).toEqual({ olderThanDays: null, overBytes: null });
  expect(lastingLimits('x', '', before)).toBe(before);
  expect(lastingLimits('0', '', before)).toBe(before);
  expect(lastingLimits('', '0', before)).toBe(before);
  expect(lastingLimits('7', '2', before)).toEqual({ olderThanDays: 7, overBytes: 2 ** 31 });
});

test('limits are shown as they were entered, and in words', () => {
  const limits = { olderThanDays: 1, overBytes: 1_610_612_736 };
  expect(textsOf(limits)).toEqual({ days: '1', gigabytes: '1.5' });
  expect(limitsInWords(limits)).toBe('older than 1 day, over 1.5 GB in total');
});

test('sessions that stay because they are in use', () => {
  expect(inUseInWords(1)).toBe('1 session exceeds the limits and stays: another window or command has it open.');
  expect(inUseInWords(2)).toBe('2 sessions exceed the limits and stay: another window or command has them open.');
});
