import { crc32, deflateRawSync } from 'node:zlib';

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Pixels. */
const SIDE = 8;
/** Grey, 8 bits a pixel. */
const HEADER = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 8, 0, 0, 0, 0]);

/** zlib's frame around one black picture: each row is a filter byte and its pixels (PNG, sections 9 and 10). */
function pixels(): Buffer {
  const raw = Buffer.alloc(SIDE * (SIDE + 1));
  // Adler-32 of n zeros is n in the high half and 1 in the low half.
  const check = Buffer.alloc(4);
  check.writeUInt16BE(raw.length, 0);
  check.writeUInt16BE(1, 2);
  return Buffer.concat([Buffer.from([0x78, 0x01]), deflateRawSync(raw), check]);
}

/**
 * A PNG of exactly `size` bytes: a small picture, then a private chunk that decoders skip. Chromium makes a document
 * for each SVG image, which costs it tens of times what the image's request costs; a PNG leaves the network to be
 * measured.
 */
export function pngOf(size: number): Buffer {
  const [before, after] = [[SIGNATURE, chunk('IHDR', HEADER), chunk('IDAT', pixels())], chunk('IEND', Buffer.alloc(0))];
  const used = Buffer.concat(before).length + after.length + chunk('prVt', Buffer.alloc(0)).length;
  return Buffer.concat([...before, chunk('prVt', Buffer.alloc(size - used, 'x')), after]);
}

/** The path of an image. */
export function imagePath(index: number): string {
  return `/image/${index}.png`;
}

/** A document with `count` images. Its icon is empty: browsers request one in some loads only. */
export function imagesDocument(count: number): string {
  const tags = Array.from({ length: count }, (_none, index) => `<img src="${imagePath(index)}" alt="">`);
  return (
    `<!doctype html><meta charset="utf-8"><title>${count} images</title><link rel="icon" ` +
    `href="data:,">${tags.join('')}`
  );
}
