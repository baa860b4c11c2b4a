import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';

/** An address at which Roundtrip answers as if it were the origin, for clients that can't be given a proxy. */
export const ReverseListenerSchema = v.object({
  /** `9000` or `127.0.0.1:9000`; without an address it listens on loopback. Port 0: any free one. */
  listen: v.string(),
  /** `http://` or `https://`, a host and optionally a port. */
  origin: v.string(),
  /** Sends the Host that the client sent. Otherwise the origin sees its own name. */
  keepHost: v.boolean(),
});
export type ReverseListener = v.InferOutput<typeof ReverseListenerSchema>;

export const ReverseStatusSchema = v.object({
  ...ReverseListenerSchema.entries,
  /** `http://127.0.0.1:9000`; empty if it does not listen. */
  url: v.string(),
  failure: v.nullable(FailureSchema),
});
export type ReverseStatus = v.InferOutput<typeof ReverseStatusSchema>;

/** A parsed ReverseListener. */
export interface ReversePlace {
  host: string;
  port: number;
  origin: { scheme: 'http' | 'https'; host: string; port: number };
  keepHost: boolean;
}

const LISTEN = /^(?:(\[[0-9a-f:.]+\]|[^:[\]\s]+):)?(\d{1,5})$/i;

/** Why a listener is invalid, as the end of a sentence that names it; or the parsed listener. */
export function parseReverse({ listen, origin, keepHost }: ReverseListener): ReversePlace | string {
  const [, address = '127.0.0.1', digits] = LISTEN.exec(listen) ?? [];
  if (digits === undefined || Number(digits) > 65_535) {
    return `${JSON.stringify(listen)} is not a listen address: use PORT or ADDRESS:PORT`;
  }
  const [, scheme, host, port] =
    /^(https?):\/\/(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?\/?$/i.exec(origin) ?? [];
  if (scheme === undefined || host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
    const shown = origin.includes('@') ? 'An address with a login' : JSON.stringify(origin);
    return `${shown} is not an origin: use http://HOST[:PORT] or https://HOST[:PORT], without a path`;
  }
  const isPlain = scheme.toLowerCase() === 'http';
  return {
    host: address.replace(/^\[|\]$/g, ''),
    port: Number(digits),
    origin: {
      scheme: isPlain ? 'http' : 'https',
      host: host.replace(/^\[|\]$/g, ''),
      port: port === undefined ? (isPlain ? 80 : 443) : Number(port),
    },
    keepHost,
  };
}
