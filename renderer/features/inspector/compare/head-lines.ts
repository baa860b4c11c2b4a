import { headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../../../shared/model/message.ts';

/** One line for each field, which is what the comparison works on. The first line stands for HTTP/2's pseudo-fields. */
function fieldLines(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${name}: ${value}`);
}

/** The fields after the body. */
function trailerLines(trailers: RawHeaders): string[] {
  return fieldLines(trailers).map((line) => `${line} (trailer)`);
}

/** The first line is what HTTP/1.1 would put into the request line, for HTTP/2 too. */
export const requestLines = ({ method, scheme, authority, path, headers, trailers }: RequestMessage) => [
  `${method} ${scheme}://${authority}${path}`,
  ...fieldLines(headers),
  ...trailerLines(trailers),
];
/** The status alone: HTTP/2 has no reason phrase, which would make a protocol change look like a different status. */
export const responseLines = ({ status, headers, trailers }: ResponseMessage) => [
  String(status),
  ...fieldLines(headers),
  ...trailerLines(trailers),
];
