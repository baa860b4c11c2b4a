import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import { BODY_RANGE_LIMIT } from '../../../shared/contract/requests.ts';
import type { CurlBody } from '../../../shared/format/curl.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** Bytes looked at for control characters: what is binary shows it early. */
const SNIFFED = 4096;

/** Control characters that text does not hold; tab, line breaks, form feed and escape (terminal colours) it does. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;
}

/** The text of bytes that are UTF-8 without control characters, or null. A character cut at the end of a range does not count against them. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED).some(isControl)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** A request's body for a command line: its first MiB, as it was sent. */
export async function readCurlBody(api: InspectorApi, exchange: Exchange): Promise<CurlBody> {
  if (exchange.request.body.stored === 0) return null;
  const range = { id: exchange.id, side: 'request', form: 'raw', offset: 0, length: BODY_RANGE_LIMIT } as const;
  const { data } = await api.request('body.read', range);
  const text = textOf(bytesOf(data));
  return text === null ? { form: 'base64', data } : { form: 'text', data: text };
}
