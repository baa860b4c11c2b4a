import type { HarParam } from './har-types.ts';
import { parsePairs } from './url.ts';

/** The fields of a form's body; empty if `contentType` is not a form's. Files without their content. */
export function formParams(contentType: string, text: string): HarParam[] {
  if (/^\s*application\/x-www-form-urlencoded\b/i.test(contentType)) return parsePairs(text.trim());
  const boundary = /^\s*multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return boundary === null ? [] : multipartParams(text, boundary[1] ?? boundary[2] ?? '');
}

/** RFC 7578. Anything that is not a part is skipped. */
function multipartParams(text: string, boundary: string): HarParam[] {
  const params: HarParam[] = [];
  for (const part of `\r\n${text}`.split(`\r\n--${boundary}`).slice(1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const name = parameter(head, 'name');
    if (end < 0 || name === undefined) continue;
    const fileName = parameter(head, 'filename');
    const type = /^content-type:\s*(.+?)\s*$/im.exec(head)?.[1];
    params.push({
      name,
      ...(fileName === undefined ? { value: part.slice(end + 4) } : { fileName }),
      ...(type === undefined ? {} : { contentType: type }),
    });
  }
  return params;
}

function parameter(head: string, name: string): string | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  return new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition)?.[1];
}
