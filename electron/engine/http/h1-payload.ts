import type { GatheredWriter } from './gathered-writer.ts';

const CRLF = Buffer.from('\r\n');

/** Writes a body's payload; each piece becomes a chunk if `chunked`. Returns false like a stream's write. */
export function writePayload(writer: GatheredWriter, payload: readonly Buffer[], chunked: boolean): boolean {
  let open = true;
  for (const bytes of payload) {
    // A chunk of length 0 would end the body.
    if (bytes.length === 0) continue;
    if (chunked) writer.write(Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'));
    open = writer.write(bytes);
    if (chunked) open = writer.write(CRLF);
  }
  return open;
}
