/** A header block that cannot be decoded: a connection error of type COMPRESSION_ERROR (RFC 9113, section 4.3). */
export class HpackError extends Error {
  override readonly name = 'HpackError';
}
