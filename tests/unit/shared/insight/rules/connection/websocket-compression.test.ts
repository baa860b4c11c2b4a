import { describe, expect, it } from 'vitest';
import { websocketCompression } from '../../../../../../shared/insight/rules/connection/websocket-compression.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

function socket(messages: number, bytes: number, response: Record<string, string> = {}) {
  const measure = { decoded: null, gzip: null, plainMessages: messages, plainMessageBytes: bytes };
  return [exampleFact({ status: 101, response, fact: { kind: 'upgrade', state: 'open', measure } })];
}

describe('websocket-compression', () => {
  it('reports uncompressed text, also of an open socket', () => {
    expect(foundBy(websocketCompression, socket(10, 64 * 1024))).toHaveLength(1);
  });

  it.each([
    ['few messages', socket(9, 64 * 1024)],
    ['little text', socket(10, 64 * 1024 - 1)],
    ['a socket that negotiated it', socket(99, 99 * 1024, { 'Sec-WebSocket-Extensions': 'permessage-deflate' })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(websocketCompression, facts)).toEqual([]);
  });
});
