import { describe, expect, it } from 'vitest';
import {
  ANSWER,
  answerOf,
  draftOf,
  languageFor,
  releaseOf,
} from '../../../../../renderer/features/breaks/held-draft.ts';
import type { HeldMessage } from '../../../../../shared/model/rule/held-message.ts';

const request: HeldMessage = {
  ...{
    id: 1,
    exchange: 1,
    rule: 'stop',
    side: 'request',
    direction: null,
    method: 'POST',
    url: 'https://a.test/b',
    status: null,
  },
  ...{ heldAt: 0, continuesAt: null, clientLeft: false, httpVersion: 'HTTP/1.1' },
  headers: [
    ['Host', 'a.test'],
    ['X-Empty', ''],
  ],
  ...{ body: btoa('{"a":1}'), bodyProblem: null },
};
const response: HeldMessage = { ...request, side: 'response', status: 200 };

describe('the draft of a held message', () => {
  it('continues unchanged if nothing was edited', () => {
    expect(releaseOf(request, draftOf(request))).toEqual({ ok: true, release: { how: 'continue' }, body: null });
  });

  it('keeps a body that was not edited, and writes one that was', () => {
    const draft = draftOf(request);
    expect(releaseOf(request, { ...draft, method: ' PUT ' })).toMatchObject({
      release: { how: 'request', method: 'PUT', body: 'kept', headers: request.headers },
      body: null,
    });
    expect(releaseOf(request, { ...draft, body: '' })).toMatchObject({ release: { body: 'written' }, body: '' });
  });

  it('reads fields line by line, and names the line that is not a field', () => {
    const draft = { ...draftOf(request), headers: 'A:1\r\n\n  \nB: x: y \n' };
    const edited = releaseOf(request, draft);
    expect(edited).toMatchObject({
      release: {
        headers: [
          ['A', '1'],
          ['B', 'x: y'],
        ],
      },
    });
    for (const wrong of ['no colon', ': none', 'a b: c']) {
      expect(releaseOf(request, { ...draft, headers: `A: 1\n${wrong}` })).toEqual({
        ...{ ok: false, field: 'headers' },
        problem: `"${wrong}" is not "name: value".`,
      });
    }
  });

  it('asks for a method and a status that can be sent', () => {
    expect(releaseOf(request, { ...draftOf(request), method: 'P ST' })).toMatchObject({ ok: false, field: 'method' });
    for (const status of ['', '199', '1000', 'x', '20.5']) {
      expect(releaseOf(response, { ...draftOf(response), status })).toMatchObject({ ok: false, field: 'status' });
    }
    expect(releaseOf(response, { ...draftOf(response), status: '404' })).toMatchObject({
      release: { how: 'response', status: 404, body: 'kept' },
    });
  });

  it('replaces a message of a stream', () => {
    const message: HeldMessage = { ...request, side: 'message', direction: 'to-client', headers: [] };
    const draft = draftOf(message);
    expect(releaseOf(message, draft)).toMatchObject({ release: { how: 'continue' } });
    expect(releaseOf(message, { ...draft, body: 'x' })).toEqual({
      ...{ ok: true, release: { how: 'message', body: 'written' }, body: 'x' },
    });
  });

  it('answers in place of upstream', () => {
    expect(answerOf(ANSWER)).toEqual({
      ok: true,
      release: { how: 'response', status: 200, headers: [['content-type', 'application/json']], body: 'written' },
      body: '{}',
    });
  });

  it('edits no body that is not text', () => {
    expect(draftOf({ ...request, body: btoa('\xff\xfe') }).body).toBe(null);
    expect(draftOf({ ...request, body: null }).body).toBe(null);
  });

  it('colours a body by its type', () => {
    expect(languageFor('Content-Type: application/ld+json', 'request')).toBe('json');
    expect(languageFor('content-type: text/html; charset=utf-8', 'response')).toBe('html');
    expect(languageFor('content-type: text/plain', 'request')).toBe('text');
    expect(languageFor('not a field', 'request')).toBe('text');
    expect(languageFor('', 'message')).toBe('json');
  });
});
