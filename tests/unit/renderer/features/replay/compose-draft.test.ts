import { describe, expect, it } from 'vitest';
import {
  headersIn,
  headersText,
  languageOfBody,
  NEW_REQUEST,
  requestOf,
  withUrl,
} from '../../../../../renderer/features/replay/compose-draft.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

describe('the compose draft', () => {
  it('begins with the recorded request, without pseudo-header fields', () => {
    const headers = [':method', 'GET', 'accept', 'a', 'accept', 'b'];
    const { request } = exampleExchange({ request: { headers, httpVersion: 'HTTP/2.0' } });
    expect(requestOf(exampleExchange({ request }), { kind: 'none' })).toMatchObject({
      ...{ method: 'GET', url: 'https://api.test/v1/items?page=2', variables: false },
      headers: [
        ['accept', 'a'],
        ['accept', 'b'],
      ],
    });
  });

  it('reads fields as they are typed, and writes them back', () => {
    const fields = headersIn('A: 1\r\n\nB:2\n:path: /x\nC\nEmpty:');
    expect(fields).toEqual([
      ['A', '1'],
      ['B', '2'],
      [':path', '/x'],
      ['C', ''],
      ['Empty', ''],
    ]);
    expect(headersText([['A', '1: 2']])).toBe('A: 1: 2');
  });

  it('lets a Host follow the URL if it named the host before', () => {
    const request = { ...NEW_REQUEST, url: 'https://a.test/x', headers: [['Host', 'a.test']] as [string, string][] };
    expect(withUrl(request, 'https://b.test:81/x').headers).toEqual([['Host', 'b.test:81']]);
    expect(withUrl({ ...request, headers: [['Host', 'c']] }, 'https://b.test/').headers).toEqual([['Host', 'c']]);
    expect(withUrl(request, 'nonsense').headers).toEqual([['Host', 'a.test']]);
  });

  it('colours the body by its type', () => {
    const language = (type: string) => languageOfBody({ ...NEW_REQUEST, headers: [['content-type', type]] });
    expect(['application/problem+json', 'text/html', 'text/plain'].map(language)).toEqual(['json', 'html', 'text']);
  });
});
