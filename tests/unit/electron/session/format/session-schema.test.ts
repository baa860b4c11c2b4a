import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';
import { writeOldSession } from '../../../../support/old-session-files.ts';
import { closing } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const refused = { code: 'upstream.refused', side: 'upstream' as const, message: 'No.', cause: 'ECONNREFUSED' };

const retried = exampleExchange({
  id: 1,
  startedAt: 1_790_000_000_000.123,
  route: { via: 'http://proxy.test:3128', reason: 'A “rule”', answer: null, override: null },
  attempts: [
    { startedAfter: 0, duration: 3.25, connection: null, failure: refused, retryReason: 'connect-refused' },
    {
      startedAfter: 3.5,
      duration: 9,
      connection: { ...EXAMPLE_UPSTREAM, reused: true },
      failure: null,
      retryReason: null,
    },
  ],
  response: {
    body: { size: 12, stored: 12, complete: true },
    headers: ['Set-Cookie', 'a="b\\c"', 'X-Latin', 'caf\u00e9'],
    informational: [{ status: 103, statusText: 'Early Hints', headers: ['Link', '</a>'] }],
  },
});
const failed = exampleExchange({
  id: 2,
  state: 'failed',
  response: null,
  upstream: null,
  attempts: [],
  failure: refused,
});

/** Reads everything that the two exchanges above left in a file. */
function expectWhatItWas(path: string): void {
  using reader = closing(new SessionReader(path));
  expect(reader.it.sessionId()).toBe('old');
  expect(reader.it.get(1)).toEqual(retried);
  expect(reader.it.get(2)).toEqual(failed);
  expect(reader.it.page(0, 10).rows.map(({ id, status, failureCode }) => [id, status, failureCode])).toEqual([
    [1, 200, null],
    [2, 0, 'upstream.refused'],
  ]);
  expect(Buffer.concat([...reader.it.bodyPieces(1, 'response')]).toString()).toBe('first,second');
  expect(Buffer.concat([...reader.it.bodyPieces(1, 'response', 3)]).toString()).toBe('st,second');
  expect(reader.it.bodySize(1, 'response')).toBe(12);
}

test.each([1, 2, 3] as const)('a file of version %d is read, and has the same contents', (version) => {
  const path = join(temporaryFolder(), 'old.roundtrip');
  writeOldSession(path, version, [retried, failed]);
  const before = readFileSync(path);
  expectWhatItWas(path);
  expect(readFileSync(path)).toEqual(before);
});

test.each([1, 2, 3] as const)(
  'a file of version %d has the same contents after it was opened for writing',
  (version) => {
    const path = join(temporaryFolder(), 'old.roundtrip');
    writeOldSession(path, version, [retried, failed]);
    SessionWriter.open(path).close();
    expectWhatItWas(path);
  },
);

test('exchanges that a killed writer of version 2 left open are failed, and ids continue', () => {
  const path = join(temporaryFolder(), 'old.roundtrip');
  writeOldSession(path, 2, [exampleExchange({ id: 7, state: 'open', revision: 3, response: null })]);
  const writer = SessionWriter.open(path);
  expect(writer.session).toMatchObject({ sessionId: 'old', nextExchangeId: 8, nextConnectionId: 3 });
  writer.close();
  using reader = closing(new SessionReader(path));
  expect(reader.it.get(7)).toMatchObject({ state: 'failed', revision: 4, failure: { code: 'engine.stopped' } });
});
