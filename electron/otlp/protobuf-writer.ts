const FIRST_SIZE = 64 * 1024;
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MOST_UTF8 = 3;
/** Bytes of the longest number: a tag, and a varint of 53 bits or eight fixed bytes. */
const MOST_NUMBER = 10;
const TWO_32 = 0x1_0000_0000;

/**
 * Writes the Protocol Buffers wire format into one buffer that grows. It creates no object for a field or a message,
 * and accepts prepared bytes: a library's encoder starts from a tree of objects, which took most of an export's CPU
 * time. Field numbers are below 16.
 */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;

  /** `value`: an integer from 0 to 2^53 - 1. */
  integer(field: number, value: number): void {
    this.#need(MOST_NUMBER);
    this.#tag(field, VARINT);
    this.#at = this.#varint(this.#at, value);
  }

  double(field: number, value: number): void {
    this.#need(MOST_NUMBER);
    this.#tag(field, FIXED_64);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** `value`: an integer from 0 to 2^53 - 1. */
  fixed64(field: number, value: number): void {
    this.#need(MOST_NUMBER);
    this.#tag(field, FIXED_64);
    this.#fixed64(value % TWO_32, Math.floor(value / TWO_32));
  }

  /** A time in nanoseconds, as fixed64. `milliseconds`: since the Unix epoch, with microseconds as decimals. */
  nanos(field: number, milliseconds: number): void {
    const micros = Math.round(milliseconds * 1000);
    // Nanoseconds have more than 53 bits: each half is multiplied separately.
    const low = (micros % TWO_32) * 1000;
    const high = Math.floor(micros / TWO_32) * 1000 + Math.floor(low / TWO_32);
    this.#need(MOST_NUMBER);
    this.#tag(field, FIXED_64);
    this.#fixed64(low % TWO_32, high);
  }

  text(field: number, value: string): void {
    this.#need(MOST_NUMBER + value.length * MOST_UTF8);
    const start = this.begin(field);
    this.#at += this.#bytes.write(value, this.#at);
    this.end(start);
  }

  /** An id in hexadecimal digits, as bytes. */
  hexadecimal(field: number, digits: string): void {
    this.#need(MOST_NUMBER + digits.length);
    const start = this.begin(field);
    this.#at += this.#bytes.write(digits, this.#at, 'hex');
    this.end(start);
  }

  /** Eight bytes, the highest first. */
  id64(field: number, value: bigint): void {
    this.#need(MOST_NUMBER);
    const start = this.begin(field);
    this.#at = this.#bytes.writeBigUInt64BE(value, this.#at);
    this.end(start);
  }

  /** Fields that were written before, by `take`. */
  prepared(fields: Uint8Array): void {
    this.#need(fields.length);
    this.#bytes.set(fields, this.#at);
    this.#at += fields.length;
  }

  /** Doubles, or whole numbers below 2^53 as fixed64: a packed field. */
  packed(field: number, values: ArrayLike<number>, as: 'double' | 'fixed64'): void {
    const start = this.begin(field);
    this.#need(values.length * Float64Array.BYTES_PER_ELEMENT);
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0;
      if (as === 'double') this.#at = this.#bytes.writeDoubleLE(value, this.#at);
      else this.#fixed64(value % TWO_32, Math.floor(value / TWO_32));
    }
    this.end(start);
  }

  /** Begins a message. Returns what `end` needs. */
  begin(field: number): number {
    this.#need(MOST_NUMBER);
    this.#tag(field, LENGTH_DELIMITED);
    this.#at += 1;
    return this.#at;
  }

  /** Ends the message that began at `start`. Its length precedes it: a message of 128 bytes or more moves up for it. */
  end(start: number): void {
    const length = this.#at - start;
    const more = length < 0x80 ? 0 : length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : 4;
    if (more > 0) {
      this.#need(more);
      this.#bytes.copyWithin(start + more, start, this.#at);
      this.#at += more;
    }
    this.#varint(start - 1, length, more);
  }

  /** Returns a copy of what was written, and starts an empty message. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #fixed64(low: number, high: number): void {
    this.#at = this.#bytes.writeUInt32LE(low, this.#at);
    this.#at = this.#bytes.writeUInt32LE(high, this.#at);
  }

  #tag(field: number, kind: number): void {
    this.#bytes[this.#at] = field * 8 + kind;
    this.#at += 1;
  }

  /** Returns the place after the number, which has at least `more` bytes besides the last. */
  #varint(place: number, value: number, more = 0): number {
    let at = place;
    let rest = value;
    for (const least = place + more; rest >= 0x80 || at < least; at += 1) {
      this.#bytes[at] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[at] = rest;
    return at + 1;
  }

  #need(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}
