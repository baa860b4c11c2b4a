import { expect, it } from 'vitest';
import { Lane } from '../../../../../../electron/engine/rules/throttle/lane.ts';
import { Link } from '../../../../../../electron/engine/rules/throttle/link.ts';
import { figuresOf, NETWORK_PROFILE_NAMES } from '../../../../../../shared/model/rule/throttle.ts';

const HEAD = 400;
const DOCUMENT = 20_000;
const IMAGES = 12;
const IMAGE = 60_000;
const CONNECTIONS = 6;

/** When one exchange over the link is complete. The server answers at once. Times are virtual, milliseconds. */
function exchange(link: Link, connection: object, at: number, body: number): number {
  const lane = new Lane(link, connection);
  const asked = lane.requestHead(HEAD, false, at);
  let arrived = lane.responseHead(HEAD, asked);
  for (let left = body; left > 0; left -= link.stepBytes('down'))
    arrived = Math.max(arrived, lane.body('down', Math.min(left, link.stepBytes('down')), asked));
  return arrived;
}

/** When a page and its images, which six connections load, are complete. */
function page(link: Link): number {
  const connections = Array.from({ length: CONNECTIONS }, () => ({}));
  const [first = {}] = connections;
  const begin = exchange(link, first, 0, DOCUMENT);
  const free = connections.map(() => begin);
  for (let image = 0; image < IMAGES; image += 1) {
    const at = free.indexOf(Math.min(...free));
    free[at] = exchange(link, connections[at] ?? {}, free[at] ?? 0, IMAGE);
  }
  return Math.max(...free);
}

it.each(NETWORK_PROFILE_NAMES)('a page over %s takes as long as its bytes and round trips, within 10 %', (profile) => {
  const figures = figuresOf({ profile });
  const { rttMs, downKbps, upKbps } = figures;
  const down = ((DOCUMENT + IMAGES * IMAGE + (IMAGES + 1) * HEAD) * 8) / downKbps;
  // TCP and the request for the page, then one for its images. Of the requests, only the first two delay anything.
  const expected = 3 * rttMs + down + (2 * HEAD * 8) / upKbps;
  const taken = page(new Link(figures));
  expect(taken / expected).toBeGreaterThan(0.95);
  expect(taken / expected).toBeLessThan(1.1);
});
