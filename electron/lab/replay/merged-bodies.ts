import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { codingsOf } from '../../session/format/content-codings.ts';
import { decodeBody } from '../../session/read/decode-body.ts';
import type { RecordedResponse } from '../page/recorded-page.ts';
import type { BodyStore } from './body-store.ts';

/** Bytes, decoded. Larger texts stay as they are. */
const LARGEST = 8 * 1024 * 1024;
const TEXT = /^text\/(?:html|css|javascript)$|javascript$|json$|^image\/svg/;

type Encode = (body: Buffer) => Promise<Buffer>;
/** Quick settings: sizes should be close to the recorded ones, not smaller. */
const ENCODERS: Readonly<Record<string, Encode>> = {
  gzip: promisify<Buffer, Buffer>(zlib.gzip),
  deflate: promisify<Buffer, Buffer>(zlib.deflate),
  zstd: promisify<Buffer, Buffer>(zlib.zstdCompress),
  br: (body) =>
    promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(body, {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 },
    }),
};

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** `https://cdn.test`, `//cdn.test`, `https:\/\/cdn.test`, with the port if it is not 443. */
function patternFor(origins: readonly string[]): RegExp {
  const hosts = origins.map((origin) => escaped(origin.replace(/:443$/, '')));
  return new RegExp(`(?:https?:)?(\\\\?/\\\\?/)(?:${hosts.join('|')})(?::80|:443)?(?![\\w.:-])`, 'gi');
}

/** Texts of a page in which the URLs of all origins point to one. */
export class MergedBodies {
  readonly #bodies: BodyStore;
  readonly #pattern: RegExp;
  readonly #target: string;
  readonly #merged = new Map<number, Promise<Buffer | null>>();

  /** `origins`, `target`: `host:port`. */
  constructor(bodies: BodyStore, origins: readonly string[], target: string) {
    this.#bodies = bodies;
    this.#pattern = patternFor(origins.filter((origin) => origin !== target));
    this.#target = target.replace(/:443$/, '');
  }

  /** The merged body with the recorded content coding; null: the body holds no URL to merge, or no known text. */
  body(response: RecordedResponse): Promise<Buffer | null> {
    const known = this.#merged.get(response.id) ?? this.#make(response);
    this.#merged.set(response.id, known);
    return known;
  }

  url(location: string): string {
    return location.replace(this.#pattern, `https:$1${this.#target}`);
  }

  async #make(response: RecordedResponse): Promise<Buffer | null> {
    if (!TEXT.test(mediaTypeOf(firstHeader(response.headers, 'content-type')))) return null;
    const codings = codingsOf(response.headers);
    const encoders = codings.map((coding) => ENCODERS[coding]);
    const decoded = await decodeBody(this.#bodies.pieces(response), codings, LARGEST);
    if (!decoded.complete || encoders.includes(undefined)) return null;
    // Latin-1 keeps every byte of any encoding that contains ASCII.
    const text = Buffer.concat(decoded.pieces).toString('latin1');
    const merged = this.url(text);
    if (merged === text) return null;
    let body: Buffer = Buffer.from(merged, 'latin1');
    // `codings` has the outermost first.
    for (const encode of encoders.toReversed()) body = (await encode?.(body)) ?? body;
    return body;
  }
}
