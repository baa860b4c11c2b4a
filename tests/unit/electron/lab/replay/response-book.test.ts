import { describe, expect, it } from 'vitest';
import type { RecordedResponse } from '../../../../../electron/lab/page/recorded-page.ts';
import { ResponseBook } from '../../../../../electron/lab/replay/response-book.ts';

function response(id: number, of: Partial<RecordedResponse>): RecordedResponse {
  const place = { method: 'GET', scheme: 'https', host: 'a.test', port: 443, path: '/' } as const;
  return { id, ...place, status: 200, statusText: '', headers: [], size: 0, serverTime: 0, revalidationTime: 0, ...of };
}

const get = (path: string, origin = 'a.test:443') => ({ method: 'GET', origin, path });

describe('the response book', () => {
  const book = new ResponseBook([
    response(1, { path: '/items?page=1' }),
    response(2, { path: '/items?page=1' }),
    response(3, { path: '/items?page=2&t=1' }),
    response(4, { host: 'b.test', path: '/logo' }),
    response(5, { method: 'POST', path: '/items' }),
  ]);

  it('gives repeated responses in order, and the last from then on', () => {
    book.reset();
    const ids = [1, 2, 3].map(() => book.take(get('/items?page=1'), false)?.id);
    expect(ids).toEqual([1, 2, 2]);
  });

  it('starts again with each load', () => {
    book.reset();
    expect(book.take(get('/items?page=1'), false)?.id).toBe(1);
  });

  it('uses the most similar query of the same path', () => {
    expect(book.take(get('/items?page=2&t=99'), false)?.id).toBe(3);
  });

  it('keeps methods and origins apart', () => {
    expect(book.take({ ...get('/items'), method: 'POST' }, false)?.id).toBe(5);
    expect(book.take(get('/logo'), false)).toBeNull();
    expect(book.take(get('/none', 'b.test:443'), false)).toBeNull();
  });

  it('finds responses of other origins where all are merged into one', () => {
    expect(book.take(get('/logo'), true)?.id).toBe(4);
  });

  it('answers HEAD from GET', () => {
    expect(book.take({ method: 'HEAD', origin: 'b.test:443', path: '/logo' }, false)?.id).toBe(4);
  });
});
