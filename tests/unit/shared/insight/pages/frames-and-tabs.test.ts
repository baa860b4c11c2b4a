import { describe, expect, it } from 'vitest';
import { findPages } from '../../../../../shared/insight/pages/find-pages.ts';
import { type ExampleFact, exampleFact } from '../../../../support/example-fact.ts';

const SHOP = 'https://shop.test';
const ADS = 'https://ads.test';

const page = (at: number, of: ExampleFact = {}) => exampleFact({ origin: SHOP, dest: 'document', at, ...of });
const part = (at: number, origin: string, path: string, Referer: string, of: ExampleFact = {}) =>
  exampleFact({ origin, path, at, dest: 'script', request: { Referer, 'Sec-Fetch-Site': 'cross-site' }, ...of });

describe('findPages, of frames', () => {
  const document = page(0);
  const frame = part(30, ADS, '/frame', `${SHOP}/`, { dest: 'iframe', client: 2 });
  const script = part(60, ADS, '/ad.js', `${ADS}/frame`, { client: 2 });
  const image = part(100, 'https://img.test', '/ad.webp', `${ADS}/`, { dest: 'image', client: 3 });

  it('knows what a frame of another site requests from a third, where its Referer is cut', () => {
    expect(findPages([document, frame, script, image])).toMatchObject([
      {
        exchanges: [document.id, frame.id, script.id, image.id],
        initiators: [0, document.id, frame.id, frame.id],
      },
    ]);
  });

  it('finds a critical path that stays in the frame, whatever ended outside it meanwhile', () => {
    const outside = part(40, SHOP, '/own.js', `${SHOP}/`, { wait: 15 });
    const [found] = findPages([document, frame, outside, script]);
    expect(found?.criticalPath.map(({ id }) => id)).toEqual([document.id, frame.id, script.id]);
  });
});

describe('findPages, of tabs that load one page at once', () => {
  const parts = (at: number) => ['/a.css', '/a.js'].map((path, index) => part(at + index, SHOP, path, `${SHOP}/`));
  const foreign = (at: number) => part(at, 'https://cdn.test', '/b.js', `${SHOP}/`, { client: 3 });

  it('gives each tab what it requested once', () => {
    const tabs = [page(0), page(20), ...parts(50), foreign(55), ...parts(60), foreign(65)];
    const found = findPages(tabs);
    expect(found.map(({ exchanges }) => exchanges.length)).toEqual([4, 4]);
  });

  it('gives everything to the latest load of a page that was loaded before', () => {
    const first = [page(0), ...parts(50)];
    const second = [page(2000), ...parts(2050), ...parts(2060), foreign(2070)];
    expect(findPages([...first, ...second]).map(({ exchanges }) => exchanges.length)).toEqual([3, 6]);
  });
});
