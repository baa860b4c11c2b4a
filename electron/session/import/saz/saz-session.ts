import type { Timings } from '../../../../shared/model/timings.ts';
import { httpVersionOf } from '../http-version.ts';
import { PartFault } from '../imported.ts';
import { momentIn, statusIn } from '../loose-json.ts';
import type { PlainConnection, PlainExchange } from '../plain-exchange.ts';
import { type Target, targetOf } from '../target.ts';
import type { RawMessage } from './raw-message.ts';

/** A session of Fiddler from its request, its response and its metadata (XML). Throws `PartFault`. */
export function sazSession(request: RawMessage, response: RawMessage | null, metadata: string): PlainExchange {
  const [method, url, version] = request.first;
  const target = targetIn(method, url, request);
  const timers = attributesOf(metadata, 'SessionTimers');
  const begin = timers.ClientBeginRequest ?? timers.ClientConnected;
  if (begin === undefined) throw new PartFault('Its metadata does not say when it began.');
  const flags = flagsOf(metadata);
  return {
    startedAt: momentIn(begin),
    target,
    request: { ...partOf(request), method, httpVersion: httpVersionOf(version) },
    response: response && responseOf(response),
    timings: timingsOf(timers),
    problem: response === null ? (flags['x-abort'] ?? null) : null,
    client: place(flags['x-clientip'], flags['x-clientport'], `${flags['x-clientport']}`),
    upstream: place(flags['x-hostip'], String(target.port), flags['x-egressport'] ?? ''),
    messages: [],
  };
}

function targetIn(method: string, url: string, { headers }: RawMessage): Target {
  if (method === 'CONNECT') return targetOf(`https://${url}`);
  if (!url.startsWith('/')) return targetOf(url);
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return targetOf(`http://${headers[at + 1] ?? ''}${url}`);
}

function partOf({ headers, trailers, body }: RawMessage) {
  return { headers, trailers, body };
}

function responseOf(response: RawMessage) {
  const [version, status, statusText] = response.first;
  return { ...partOf(response), httpVersion: httpVersionOf(version), status: statusIn(status), statusText };
}

/**
 * The attributes of the first element with this name. The metadata is flat: no XML parser is needed. The patterns read
 * each character a few times at most: with other patterns, a hostile file would take hours.
 */
function attributesOf(xml: string, element: string): Record<string, string> {
  const [, text = ''] = new RegExp(`<${element}\\s([^<>]*)>`).exec(xml) ?? [];
  return Object.fromEntries(
    [...text.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function flagsOf(xml: string): Record<string, string | undefined> {
  const flags = [...xml.matchAll(/<SessionFlag\s+N="([^"]*)"\s+V="([^"]*)"/g)];
  return Object.fromEntries(flags.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
}

/** Fiddler's timers are moments, or whole milliseconds, with 0 for phases that did not take place. */
function timingsOf(timers: Record<string, string>): Partial<Timings> {
  const duration = (name: string) => {
    const milliseconds = Number(timers[name]);
    return milliseconds > 0 ? milliseconds : -1;
  };
  const ssl = duration('HTTPSHandshakeTime');
  const tcp = duration('TCPConnectTime');
  return {
    dns: duration('DNSTime'),
    connect: tcp < 0 && ssl < 0 ? -1 : Math.max(tcp, 0) + Math.max(ssl, 0),
    ssl,
    send: between(timers.FiddlerBeginRequest, timers.ServerGotRequest),
    wait: between(timers.ServerGotRequest, timers.ServerBeginResponse),
    receive: between(timers.ServerBeginResponse, timers.ServerDoneResponse),
  };
}

/** Milliseconds; -1 where a moment is missing or was never reached (the year 1). */
function between(from: string | undefined, to: string | undefined): number {
  if (from === undefined || to === undefined || /^0001-/.test(from) || /^0001-/.test(to)) return -1;
  const passed = momentIn(to) - momentIn(from);
  return passed < 0 ? -1 : Math.round(passed * 1000) / 1000;
}

function place(address: string | undefined, port: string | undefined, key: string): PlainConnection | null {
  if (address === undefined || port === undefined || key === '') return null;
  const bare = address.replace(/^::ffff:/, '');
  const remoteAddress = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
  return { key: `${remoteAddress} ${key}`, localAddress: null, remoteAddress };
}
