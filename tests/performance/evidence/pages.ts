/**
 * Writes the pages of docs/evidence.md as session files: `node tests/performance/evidence/pages.ts FOLDER`.
 * `images.roundtrip`: 1,000 copies of one image. `items-N.roundtrip`: a collection, then its N items;
 * `items-N-h2.roundtrip` as recorded over HTTP/2.
 */
import path from 'node:path';
import { type Part, recordParts } from '../../support/page-session.ts';
import { imagePath, imagesDocument, pngOf } from '../lab/image-page.ts';

const ORIGIN = 'https://evidence.test';
const IMAGES = 1000;
/** Bytes of an image and of an item; both arrive uncompressed. */
const IMAGE = 10_000;
const ITEM = 500;

function image(index: number): Part {
  return { url: ORIGIN + imagePath(index), type: 'image/png', body: pngOf(IMAGE), wait: 0 };
}

function page(body: string): Part {
  return { url: `${ORIGIN}/`, type: 'text/html', destination: 'document', wait: 0, body };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_each, index) => index);
}

function items(count: number): Part[] {
  const each = `(ids) => Promise.all(ids.map((id) => fetch('/items/' + id)))`;
  const script = `fetch('/items').then((it) => it.json()).then(${each})`;
  return [
    page(`<!doctype html><script>${script}</script>`),
    { url: `${ORIGIN}/items`, type: 'application/json', body: JSON.stringify(numbers(count)), wait: 0 },
    ...numbers(count).map((id) => ({
      ...{ url: `${ORIGIN}/items/${id}`, type: 'application/json', wait: 0 },
      body: JSON.stringify({ id }).padEnd(ITEM),
    })),
  ];
}

const folder = process.argv[2] ?? '.';
await recordParts(path.join(folder, 'images.roundtrip'), [page(imagesDocument(IMAGES)), ...numbers(IMAGES).map(image)]);
for (const count of [25, 500]) {
  await recordParts(path.join(folder, `items-${count}.roundtrip`), items(count));
  await recordParts(path.join(folder, `items-${count}-h2.roundtrip`), items(count), 'h2');
}
// The writer's message port would keep the process alive.
process.exit(0);
