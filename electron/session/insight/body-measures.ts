import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BodyMeasure, Fact } from '../../../shared/insight/fact.ts';
import { groupBy } from '../../../shared/insight/group-by.ts';
import { isCompressible } from '../../../shared/insight/rules/content/compression.ts';
import { decodeBody, decodedPieces, type Outcome } from '../read/decode-body.ts';
import type { SessionReader } from '../read/session-reader.ts';

/** Bodies and bytes that are compressed for a session: about 0.2 s. The largest bodies come first. */
const MOST_BODIES = 500;
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes of one body; the rest is assumed to be alike. Twice gzip's window. */
const SAMPLE = 64 * 1024;
/** Bytes of a compressed body that is compressed again as a whole: two levels differ by less than its parts do. */
const WHOLE = 256 * 1024;
/** Bytes that a compressed body may decode to. */
const LONGEST = 16 * 1024 * 1024;
/** The required saving of a longer body's beginning, as a multiple: the rest may compress worse. */
const CAUTION = 2;
/** Decoding is this many times as fast as compressing. */
const DECODES = 8;
/** Messages of a WebSocket that are counted. */
const MOST_MESSAGES = 5000;
const TEXT_OPCODE = 1;

const NOTHING: BodyMeasure = { decoded: null, gzip: null, plainMessages: 0, plainMessageBytes: 0 };

/** Measures facts that only bodies show, within limits for a session, and each body once. */
export class BodyMeasures {
  /** By a key that equal bodies share. */
  readonly #known = new Map<string, BodyMeasure>();
  /** Of the known ones. */
  readonly #sizes = new Set<number>();
  #bytes = 0;

  /** Fills in `measure` of the facts that lack it. Yields the thread between bodies. */
  async measure(reader: SessionReader, facts: readonly Fact[]): Promise<void> {
    for (const socket of facts) {
      const isNew = socket.measure === null || socket.state === 'open';
      if (socket.kind === 'upgrade' && isNew) socket.measure = messagesOf(reader, socket.id);
    }
    const wanted = facts.filter((fact) => fact.measure === null && fact.state !== 'open' && isCompressible(fact));
    const bySize = groupBy(wanted, ({ responseSize }) => responseSize);
    // Numbers alone: sorting the facts took as long as reading a tenth of them.
    for (const size of Float64Array.from(bySize.keys()).sort().reverse()) {
      if (this.#isSpent && !this.#sizes.has(size)) continue;
      for (const fact of bySize.get(size) ?? []) await this.#measureOne(reader, fact);
    }
  }

  async #measureOne(reader: SessionReader, fact: Fact): Promise<void> {
    const key = `${fact.origin}${fact.template} ${fact.responseSize} ${fact.etag}`;
    const known = this.#known.get(key);
    if (known === undefined && this.#isSpent) return;
    fact.measure = known ?? (await this.#compress(reader, fact));
    this.#known.set(key, fact.measure);
    this.#sizes.add(fact.responseSize);
  }

  get #isSpent(): boolean {
    return this.#known.size >= MOST_BODIES || this.#bytes >= MOST_BYTES;
  }

  async #compress(reader: SessionReader, { id, response, responseSize }: Fact): Promise<BodyMeasure> {
    const coding = response['content-encoding']?.toLowerCase() ?? 'identity';
    // Brotli and Zstandard are better than gzip as a rule; decoding them to check would cost more than it is worth.
    const codings = { identity: [], gzip: ['gzip'], 'x-gzip': ['gzip'], deflate: ['deflate'] }[coding];
    if (codings === undefined || reader.bodySize(id, 'response') < responseSize) return NOTHING;
    await nextTurn();
    if (codings.length > 0) return await this.#again(reader.bodyPieces(id, 'response'), codings);
    const { pieces, size, complete } = await decodeBody(reader.bodyPieces(id, 'response'), codings, SAMPLE);
    if (size === 0) return NOTHING;
    this.#bytes += size;
    const compressed = gzipSync(Buffer.concat(pieces), { level: 6 }).length;
    if (complete) return { ...NOTHING, decoded: size, gzip: compressed };
    return { ...NOTHING, decoded: responseSize, gzip: Math.round((compressed / size) * responseSize) };
  }

  async #again(body: Iterable<Uint8Array>, codings: readonly string[]): Promise<BodyMeasure> {
    const outcome: Outcome = { complete: true, problem: null };
    const pieces: Uint8Array[] = [];
    let [kept, decoded] = [0, 0];
    for await (const piece of decodedPieces(body, codings, outcome, LONGEST)) {
      decoded += piece.length;
      const part = piece.subarray(0, WHOLE - kept);
      kept += part.length;
      if (part.length > 0) pieces.push(part);
    }
    this.#bytes += kept + Math.round(decoded / DECODES);
    if (!outcome.complete || decoded === 0) return NOTHING;
    const compressed = gzipSync(Buffer.concat(pieces), { level: 6 }).length;
    const gzip = kept === decoded ? compressed : Math.round((compressed / kept) * decoded * CAUTION);
    return { ...NOTHING, decoded, gzip };
  }
}

function messagesOf(reader: SessionReader, id: number): BodyMeasure {
  const plain = reader
    .messageMarks(id, 0, MOST_MESSAGES)
    .filter(({ opcode, compressed }) => opcode === TEXT_OPCODE && !compressed);
  return {
    ...NOTHING,
    plainMessages: plain.length,
    plainMessageBytes: plain.reduce((sum, { size }) => sum + size, 0),
  };
}
