import type { UserMark } from '../../../../shared/model/edits/session-edits.ts';
import { firstHeader } from '../../../../shared/model/headers.ts';
import type { Timings } from '../../../../shared/model/timings.ts';
import { httpVersionOf } from '../http-version.ts';
import { PartFault } from '../imported.ts';
import { measureIn, momentIn, statusIn } from '../loose-json.ts';
import type { PlainConnection, PlainExchange } from '../plain-exchange.ts';
import { type Target, targetOf } from '../target.ts';
import { noted } from '../user-notes.ts';
import type { RawMessage } from './raw-message.ts';

/** The files of a session. */
interface SazFiles {
  request: RawMessage;
  response: RawMessage | null;
  /** Why its response can't be read; null: it can, or there is none. */
  lost: string | null;
  /** XML; empty: there is none. */
  metadata: string;
  /** When its request was written, milliseconds since the Unix epoch; null: unknown. */
  writtenAt: number | null;
}

/** A session of Fiddler, and sentences about what was not as it should be. Throws `PartFault`. */
export function sazSession(files: SazFiles): { exchange: PlainExchange; faults: string[] } {
  const { request, response, lost, metadata, writtenAt } = files;
  const [method, url, version] = request.first;
  const target = targetIn(method, url, request);
  const timers = attributesOf(metadata, 'SessionTimers');
  const begin = [timers.ClientBeginRequest, timers.ClientConnected].map(momentOf).find((moment) => moment !== null);
  const startedAt = begin ?? writtenAt;
  if (startedAt === null) throw new PartFault('Nothing in the archive says when it began.');
  const flags = flagsOf(metadata);
  const received = response && responseOf(response);
  const isHttp = received !== null && received.status > 0;
  const isGarbled = received !== null && !isHttp;
  const exchange: PlainExchange = {
    startedAt,
    target,
    request: { ...partOf(request), method, httpVersion: httpVersionOf(version) },
    response: isHttp ? received : null,
    timings: timingsOf(timers),
    problem: isHttp ? null : (lost ?? (isGarbled ? 'its response is not one of HTTP' : flags['x-abort']) ?? null),
    client: place(flags['x-clientip'], flags['x-clientport'], `${flags['x-clientport']}`),
    upstream: place(flags['x-hostip'], String(target.port), flags['x-egressport'] ?? ''),
    messages: [],
    userMark: noted(plainText(flags['ui-comments'] ?? ''), colourOf(flags['ui-color'] ?? '')),
  };
  const faults = [
    ...(begin === undefined ? ['Its metadata does not say when it began: its start is when it was saved.'] : []),
    ...(isGarbled ? ['Its response is not one of HTTP, and was left out.'] : []),
  ];
  return { exchange, faults };
}

function targetIn(method: string, url: string, { headers }: RawMessage): Target {
  if (method === '') throw new PartFault('Its request is not one of HTTP.');
  if (method === 'CONNECT') return targetOf(`https://${url}`);
  if (!url.startsWith('/')) return targetOf(url);
  return targetOf(`http://${firstHeader(headers, 'host') ?? ''}${url}`);
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

/** Fiddler's menu has these; a script may set any other colour, also as `#rrggbb`. */
const COLOURS: Readonly<Record<string, UserMark['colour']>> = {
  ...{ red: 'red', blue: 'blue', gold: 'yellow', green: 'green', orange: 'orange', purple: 'purple' },
};

function colourOf(name: string): UserMark['colour'] {
  return COLOURS[name.toLowerCase()] ?? null;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Of an attribute of XML. */
function plainText(coded: string): string {
  return coded.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** Fiddler's timers are moments, or whole milliseconds, with 0 for phases that did not take place. */
function timingsOf(timers: Record<string, string>): Partial<Timings> {
  const duration = (name: string) => {
    const milliseconds = measureIn(timers[name]);
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

/** Milliseconds; -1 where a moment is missing. */
function between(from: string | undefined, to: string | undefined): number {
  const [start, end] = [momentOf(from), momentOf(to)];
  if (start === null || end === null || end < start) return -1;
  return Math.round((end - start) * 1000) / 1000;
}

/** Null: it is missing, no date, or was never reached (the year 1). */
function momentOf(text: string | undefined): number | null {
  if (text === undefined || /^0001-/.test(text) || Number.isNaN(Date.parse(text))) return null;
  return momentIn(text);
}

function place(address: string | undefined, port: string | undefined, key: string): PlainConnection | null {
  if (address === undefined || port === undefined || key === '') return null;
  const bare = address.replace(/^::ffff:/, '');
  const remoteAddress = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
  return { key: `${remoteAddress} ${key}`, localAddress: null, remoteAddress };
}
