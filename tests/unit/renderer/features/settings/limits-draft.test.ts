import { expect, it } from 'vitest';
import { givenLimits, limitsDraft, limitTextProblem } from '../../../../../renderer/features/settings/limits-draft.ts';

it('shows sizes in KB, times in seconds and counts as they are', () => {
  const draft = limitsDraft({ headBytes: 8192, connectTime: 2500 });
  expect([draft.headBytes, draft.connectTime, draft.http2Streams]).toEqual(['8', '2.5', '1000']);
});

it('keeps only values that differ from the default', () => {
  expect(givenLimits(limitsDraft({}))).toEqual({});
  expect(givenLimits({ ...limitsDraft({ connectTime: 2500 }), headBytes: '512' })).toEqual({
    headBytes: 512 * 1024,
    connectTime: 2500,
  });
  expect(givenLimits({ ...limitsDraft({ headBytes: 8192 }), headBytes: '256' })).toEqual({});
});

it.each(['', ' ', 'much', '7', '1e9', '-8', 'Infinity'])('shows what can be entered instead of %j', (text) => {
  expect(limitTextProblem('headBytes', text)).toBe('Enter a number from 8 to 16384 KB.');
  expect(limitTextProblem('headBytes', '8')).toBeNull();
});

it('names no unit of a count', () => {
  expect(limitTextProblem('http2Streams', '0')).toBe('Enter a number from 1 to 100000.');
});
