import { allHeaders, type RawHeaders } from '../../../shared/model/headers.ts';
import type { BodyInfo } from '../../../shared/model/message.ts';

/** The codings of a recorded body, as `codingsOf`; none if the file holds it decoded. */
export function bodyCodings({ headers, body }: { headers: RawHeaders; body: BodyInfo }): string[] {
  return body.decoded ? [] : codingsOf(headers);
}

/**
 * The codings of a body's bytes in decoding order (outermost first), lower case, without `identity` and `chunked`.
 * Transfer codings other than chunked wrap the content codings (RFC 9112, section 6.1) and are kept on recorded bytes.
 */
export function codingsOf(headers: RawHeaders): string[] {
  const content = listed(headers, 'content-encoding');
  const transfer = listed(headers, 'transfer-encoding').filter((coding) => coding !== 'chunked');
  // Most bodies have none.
  if (content.length + transfer.length === 0) return [];
  return [...content, ...transfer].filter((coding) => coding !== 'identity').reverse();
}

function listed(headers: RawHeaders, name: string): string[] {
  const values = allHeaders(headers, name);
  if (values.length === 0) return values;
  return values
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
}
