import { expect, it } from 'vitest';
import { endWords } from '../../../../../shared/model/insight/connection-end.ts';

it.each([
  [{ by: 'upstream', why: 'goaway', code: 11 }, 'the server sent GOAWAY (code 11)'],
  [{ by: 'us', why: 'idle', code: null }, 'Roundtrip closed it after its idle time'],
  [{ by: 'client', why: 'cancelled', code: null }, 'the client disconnected during an exchange'],
] as const)('says who ended a connection, and why: %j', (end, words) => {
  expect(endWords(end)).toBe(words);
});
