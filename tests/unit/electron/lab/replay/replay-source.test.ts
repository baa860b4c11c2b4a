import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RecordedResponse } from '../../../../../electron/lab/page/recorded-page.ts';
import type { ReplayExchange } from '../../../../../electron/lab/replay/replay-exchange.ts';
import type { ReplayHead } from '../../../../../electron/lab/replay/replay-head.ts';
import { ReplaySource } from '../../../../../electron/lab/replay/replay-source.ts';
import { VARIANTS } from '../../../../../electron/lab/variants.ts';

const RESPONSE: RecordedResponse = {
  ...{ id: 7, method: 'GET', scheme: 'https', host: 'shop.test', port: 443, path: '/a.png', status: 200 },
  ...{ statusText: '', headers: ['cache-control', 'no-store'], size: 3, serverTime: 0, revalidationTime: 0 },
};

function sourceOf(response: RecordedResponse): ReplaySource {
  const page = { number: 1, url: 'https://shop.test/', origin: 'shop.test:443', documentId: 1, startedAt: 0 };
  return new ReplaySource({ ...page, wasHttp2: true, responses: [response], notes: [] }, () => [Buffer.from('abc')]);
}

/** The head that a request gets. */
async function headFrom(source: ReplaySource, origin = 'https://shop.test'): Promise<ReplayHead | undefined> {
  let head: ReplayHead | undefined;
  const exchange: ReplayExchange = {
    ...{ method: 'GET', path: '/a.png', onClose: () => undefined, destroy: () => undefined },
    header: (name) => (name === 'origin' ? origin : undefined),
    respond: async (response) => {
      head = response.head;
    },
  };
  await source.respond('shop.test:443', exchange);
  return head;
}

describe('a replayed load', () => {
  it('composes no head during the load: the browser would wait for it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const date = 'Thu, 01 Oct 2020 00:00:00 GMT';
    const source = sourceOf({ ...RESPONSE, headers: ['date', date, 'expires', date] });
    source.begin(VARIANTS.http2);
    vi.setSystemTime(Date.parse('2026-01-01T00:01:00Z'));
    expect((await headFrom(source))?.byName).toMatchObject({ expires: 'Thu, 01 Jan 2026 00:00:00 GMT' });
  });

  it('responds within the read of the request if there is nothing to wait for', () => {
    const source = sourceOf(RESPONSE);
    source.begin(VARIANTS.http2);
    const respond = vi.fn(async () => undefined);
    const exchange = { method: 'GET', path: '/a.png', onClose: () => undefined, destroy: () => undefined };
    void source.respond('shop.test:443', { ...exchange, header: () => undefined, respond });
    expect(respond).toHaveBeenCalledOnce();
  });

  it('has the heads of the current variant', async () => {
    const source = sourceOf(RESPONSE);
    source.begin(VARIANTS.http2);
    expect((await headFrom(source))?.byName).toMatchObject({ 'cache-control': 'no-store' });
    source.begin(VARIANTS['warm-cache']);
    expect((await headFrom(source))?.byName).toMatchObject({ 'cache-control': expect.stringContaining('immutable') });
  });

  it('permits each origin that requests a response with permission for one', async () => {
    const source = sourceOf({ ...RESPONSE, headers: ['access-control-allow-origin', 'https://shop.test'] });
    source.begin(VARIANTS.http2);
    for (const origin of ['https://shop.test', 'https://other.test']) {
      expect((await headFrom(source, origin))?.byName).toMatchObject({ 'access-control-allow-origin': origin });
    }
  });
});
