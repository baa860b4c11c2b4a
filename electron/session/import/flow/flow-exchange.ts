import type { UserMark } from '../../../../shared/model/edits/session-edits.ts';
import { MARK_COLOURS } from '../../../../shared/model/rule/actions.ts';
import type { Timings } from '../../../../shared/model/timings.ts';
import type { PlainMessage } from '../../format/web-socket-frames.ts';
import { httpVersionOf } from '../http-version.ts';
import { type ImportedExchange, PartFault } from '../imported.ts';
import { listIn, numberIn, objectIn, statusIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';
import { type PlainConnection, plainExchange } from '../plain-exchange.ts';
import { targetOf } from '../target.ts';
import { noted } from '../user-notes.ts';
import type { TValue } from './tnetstring.ts';

type Flow = ReturnType<typeof objectIn>;

const TEXT = 1;
const CLOSE = 8;

/** An exchange from a flow of mitmproxy, versions 0.18 to 12. Throws `PartFault`. */
export function flowExchange(value: TValue, numbering: Numbering): ImportedExchange {
  const flow = objectIn(value);
  const type = words(flow.type);
  if (type !== 'http') throw new PartFault(`It is a flow of the type ${JSON.stringify(type)}, not HTTP.`);
  const request = objectIn(flow.request);
  const response = flow.response === null || flow.response === undefined ? null : objectIn(flow.response);
  const client = objectIn(flow.client_conn);
  const server = objectIn(flow.server_conn);
  return plainExchange(
    {
      startedAt: startOf(request, client),
      target: targetOf(urlOf(request)),
      request: { ...part(request), method: words(request.method) },
      response: response && {
        ...part(response),
        status: statusIn(response.status_code),
        statusText: words(response.reason),
      },
      timings: timingsOf(request, response),
      problem: words(objectIn(flow.error).msg) || null,
      client: connectionOf(client),
      upstream: connectionOf(server),
      messages: messagesOf(objectIn(flow.websocket)),
      userMark: noted(words(flow.comment), colourOf(flow.marked)),
    },
    numbering,
  );
}

/**
 * Milliseconds since the Unix epoch. Throws `PartFault` for a value outside a date's range: no export could write it.
 */
function startOf(request: Flow, client: Flow): number {
  const moment = (numberIn(request.timestamp_start) ?? numberIn(client.timestamp_start) ?? 0) * 1000;
  if (Number.isNaN(new Date(moment).getTime())) throw new PartFault(`Its start time ${moment / 1000} is not a date.`);
  return moment;
}

/** Text, which some versions write as bytes. */
function words(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return typeof value === 'string' ? value : '';
}

function urlOf(request: Flow): string {
  const scheme = words(request.scheme) || 'https';
  const host = words(request.host);
  const authority =
    words(request.authority) || `${host.includes(':') ? `[${host}]` : host}:${numberIn(request.port) ?? ''}`;
  return `${scheme}://${authority}${words(request.method) === 'CONNECT' ? '' : words(request.path)}`;
}

/** Since version 7, a flow is marked with the name of an emoji, such as `:red_circle:`; before, with true. */
function colourOf(marked: unknown): UserMark['colour'] {
  const name = marked === true ? ':default:' : words(marked);
  if (name === '') return null;
  // mitmproxy shows its default as a red dot, and so any other emoji here.
  return MARK_COLOURS.find((colour) => name.includes(colour)) ?? 'red';
}

function part(message: Flow) {
  const { content } = message;
  return {
    httpVersion: httpVersionOf(words(message.http_version)),
    headers: fields(message.headers),
    trailers: fields(message.trailers),
    body: Buffer.isBuffer(content) ? content : null,
  };
}

function fields(value: unknown): string[] {
  return listIn(value).flatMap((field) => {
    const [name, content] = listIn(field).map(words);
    return name === undefined || content === undefined ? [] : [name, content];
  });
}

function timingsOf(request: Flow, response: Flow | null): Partial<Timings> {
  return {
    send: between(request.timestamp_start, request.timestamp_end),
    wait: between(request.timestamp_end, response?.timestamp_start),
    receive: between(response?.timestamp_start, response?.timestamp_end),
  };
}

/** Milliseconds between two moments in seconds; -1 if one is missing. */
function between(from: unknown, to: unknown): number {
  const [start, end] = [numberIn(from), numberIn(to)];
  return start === null || end === null || end < start ? -1 : Math.round((end - start) * 1e6) / 1000;
}

function connectionOf(connection: Flow): PlainConnection | null {
  const remoteAddress = address(connection.peername ?? connection.ip_address ?? connection.address);
  const localAddress = address(connection.sockname ?? connection.source_address);
  const key = words(connection.id) || remoteAddress;
  return key === null ? null : { key, localAddress, remoteAddress };
}

function address(value: unknown): string | null {
  const pair = listIn(objectIn(value).address ?? value);
  const [host, port] = [words(pair[0]), numberIn(pair[1])];
  if (host === '' || port === null) return null;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Each message is a list: opcode, whether the client sent it, bytes, seconds since the Unix epoch. */
function messagesOf(socket: Flow): PlainMessage[] {
  const messages = listIn(socket.messages).map((message): PlainMessage => {
    const [opcode, fromClient, content, at] = listIn(message);
    return {
      fromClient: fromClient === true,
      at: (numberIn(at) ?? -0.001) * 1000,
      opcode: numberIn(opcode) ?? TEXT,
      data: Buffer.isBuffer(content) ? content : Buffer.from(words(content)),
      closeCode: null,
    };
  });
  const code = numberIn(socket.close_code);
  if (code === null) return messages;
  const data = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(words(socket.close_reason))]);
  const at = (numberIn(socket.timestamp_end) ?? -0.001) * 1000;
  return [...messages, { fromClient: socket.closed_by_client === true, at, opcode: CLOSE, data, closeCode: code }];
}
