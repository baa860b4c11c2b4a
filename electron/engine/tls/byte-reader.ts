/** Reads network-order fields from untrusted bytes; every read past the end throws a RangeError. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  uint(size: 1 | 2 | 3): number {
    const value = this.#bytes.readUIntBE(this.#at, size);
    this.#at += size;
    return value;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw new RangeError('a length points past the end');
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }

  /** A length-prefixed vector (RFC 8446, section 3.4). */
  vector(lengthSize: 1 | 2): ByteReader {
    return new ByteReader(this.bytes(this.uint(lengthSize)));
  }
}
