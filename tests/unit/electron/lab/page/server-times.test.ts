import { describe, expect, it } from 'vitest';
import type { RecordedResponse } from '../../../../../electron/lab/page/recorded-page.ts';
import { revalidationTimes, serverTimes } from '../../../../../electron/lab/page/server-times.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import { NO_TIMINGS, type Timings } from '../../../../../shared/model/timings.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

function exchange(at: number, wait: number, of: Partial<Timings> = {}): Exchange {
  const example = exampleExchange({ id: 1, startedAt: at });
  return { ...example, timings: { ...NO_TIMINGS, blocked: 0, send: 0, receive: 0, wait, ...of } };
}

describe('the time of a server', () => {
  it('is the time to first byte without the round trip in it', () => {
    const opening = exchange(0, 50, { dns: 1, connect: 30, ssl: 20 });
    expect(serverTimes([opening])(opening)).toBeCloseTo(40, 0);
  });

  it('leaves out what the replay takes for the responses that were given meanwhile', () => {
    const burst = Array.from({ length: 100 }, (_none, index) => exchange(0, 1 + index / 10));
    const timeOf = serverTimes(burst);
    const [first, last] = [burst[0], burst[99]].map((one) => (one ? timeOf(one) : -1));
    expect(first).toBeCloseTo(0.95, 5);
    expect(last).toBeCloseTo(10.9 - 5, 5);
  });

  it('is the recorded one where responses came one at a time', () => {
    const slow = [exchange(0, 100), exchange(200, 100), exchange(400, 100)];
    for (const each of slow) expect(serverTimes(slow)(each)).toBeCloseTo(99.95, 5);
  });

  it('is never below zero', () => {
    const [one, other] = [exchange(0, 0.01), exchange(0, 0.02)];
    expect([one, other].map(serverTimes([one, other]))).toEqual([0, 0]);
  });
});

type Timed = Omit<RecordedResponse, 'revalidationTime'>;

let ids = 0;

function response(path: string, type: string, serverTime: number, of: Partial<Timed> = {}): Timed {
  ids += 1;
  return {
    ...{ id: ids, method: 'GET', scheme: 'https', host: 'shop.test', port: 443, path, status: 200, statusText: '' },
    ...{ headers: ['content-type', type], size: 10, serverTime, ...of },
  };
}

describe('the time of a 304', () => {
  const page = response('/', 'text/html', 80);
  const icon = response('/icon.png', 'image/png', 2);
  const photo = response('/photo.jpg', 'image/jpeg', 50);
  const prices = response('/prices', 'application/json', 60);

  it('of a file is that of the fastest response of its origin', () => {
    const timeOf = revalidationTimes([page, icon, photo, prices]);
    expect(timeOf(photo)).toBe(2);
    const elsewhere = response('/photo.jpg', 'image/jpeg', 40, { host: 'cdn.test' });
    expect(revalidationTimes([page, icon, photo, prices, elsewhere])(elsewhere)).toBe(40);
  });

  it.each(['text/css', 'application/javascript', 'text/javascript; charset=utf-8', 'font/woff2', 'application/wasm'])(
    'of %s is that of a file',
    (type) => {
      const file = response('/file', type, 30);
      expect(revalidationTimes([icon, file])(file)).toBe(2);
    },
  );

  it('of anything else is that of its response, which a server makes to compare it', () => {
    const timeOf = revalidationTimes([page, icon, photo, prices]);
    expect(timeOf(prices)).toBe(60);
    expect(timeOf(page)).toBe(80);
  });

  it('is the recorded one where the recording has a 304 of the same URL', () => {
    const unchanged = response('/prices', 'application/json', 7, { status: 304 });
    const timeOf = revalidationTimes([icon, photo, prices, unchanged]);
    expect(timeOf(prices)).toBe(7);
    expect(timeOf(photo)).toBe(2);
  });
});
