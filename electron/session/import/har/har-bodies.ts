import { firstHeader, mediaTypeOf, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { BodyInfo } from '../../../../shared/model/message.ts';
import { codingsOf } from '../../format/content-codings.ts';
import { listIn, objectIn, sizeIn, statusIn, textIn } from '../loose-json.ts';

export interface HarBytes {
  bytes: Uint8Array | null;
  info: BodyInfo;
}

/** The body of a request. `info.stored` is set when the bytes are written. */
export function requestBytes(request: unknown, headers: RawHeaders): HarBytes {
  const { postData, bodySize } = objectIn(request);
  // HTTP Toolkit has the bytes in `_content` where `postData` can't hold them.
  const { text, size } = objectIn(objectIn(request)._content);
  const content = typeof text === 'string' ? objectIn(request)._content : postData;
  const bytes = bytesIn(content, headers);
  const decoded = bytes !== null && codingsOf(headers).length > 0;
  const known = sizeIn(bodySize);
  const length = bytes?.length ?? sizeIn(size);
  // Without data there is no body: -1 means "none" there in all writers. Fields of a form are data.
  const hasData = length >= 0 || listIn(objectIn(postData).params).length > 0;
  const none = bytes === null && known < 0 && !hasData ? 0 : known;
  return { bytes, info: infoOf(none < 0 && !decoded ? length : none, decoded) };
}

/** The body of a response. Sizes that the file does not have are -1, unless they follow from the bytes. */
export function responseBytes(response: unknown, headers: RawHeaders, method: string): HarBytes {
  const { content, bodySize, _transferSize, headersSize, status } = objectIn(response);
  const bytes = bytesIn(content, headers);
  const decoded = bytes !== null && codingsOf(headers).length > 0;
  const size = wireSize({
    known: sizeIn(bodySize),
    transfer: sizeIn(_transferSize),
    head: sizeIn(headersSize),
    declared: sizeIn(firstHeader(headers, 'content-length')),
    content: decoded || codingsOf(headers).length > 0 ? -1 : contentSize(content, bytes),
    isBodiless: method === 'HEAD' || [101, 204, 304].includes(statusIn(status)),
  });
  return { bytes: size === 0 ? null : bytes, info: infoOf(size, decoded && size !== 0) };
}

interface Sizes {
  known: number;
  transfer: number;
  head: number;
  declared: number;
  content: number;
  isBodiless: boolean;
}

function wireSize({ known, transfer, head, declared, content, isBodiless }: Sizes): number {
  if (known > 0) return known;
  if (isBodiless) return 0;
  // Browsers write 0 for responses from their cache or hidden from them: an existing text is not empty.
  if (known === 0) return Math.max(content, 0);
  if (transfer >= 0 && head >= 0 && transfer >= head) return transfer - head;
  return content >= 0 ? content : declared;
}

/** For a body without content codings: its size is that of its bytes. A 0 without a text means "unknown". */
function contentSize(content: unknown, bytes: Uint8Array | null): number {
  if (bytes !== null) return bytes.length;
  const size = sizeIn(objectIn(content).size);
  return size > 0 ? size : -1;
}

function infoOf(size: number, decoded: boolean): BodyInfo {
  const info = { size, stored: 0, complete: true };
  return decoded ? { ...info, decoded } : info;
}

/** Null: the file does not have the body. */
function bytesIn(content: unknown, headers: RawHeaders): Uint8Array | null {
  const { text, encoding, _encoding, params, mimeType } = objectIn(content);
  if (typeof text === 'string' && (text !== '' || listIn(params).length === 0)) {
    const isBase64 = encoding === 'base64' || _encoding === 'base64';
    if (text === '') return null;
    return isBase64 ? Buffer.from(text, 'base64') : textBytes(text);
  }
  const type = mediaTypeOf(firstHeader(headers, 'content-type') ?? textIn(mimeType));
  const form = type === 'application/x-www-form-urlencoded';
  return form && listIn(params).length > 0 ? Buffer.from(formText(listIn(params))) : null;
}

/** Python's `surrogateescape`: mitmproxy writes the bytes of a request that are not UTF-8 as half characters. */
const ESCAPED_BYTES = /[\udc80-\udcff]/u;

function textBytes(text: string): Buffer {
  if (!ESCAPED_BYTES.test(text)) return Buffer.from(text);
  const parts = text.split(/([\udc80-\udcff]+)/u);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? 'utf8' : 'latin1')));
}

/** Charles and Safari write the fields of a form without its text. */
function formText(params: readonly unknown[]): string {
  const pairs = params.map(objectIn).map(({ name, value }): [string, string] => [textIn(name), textIn(value)]);
  return new URLSearchParams(pairs).toString();
}
