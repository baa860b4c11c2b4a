import type { Exchange } from '../../model/exchange.ts';
import { firstHeader, headerPairs, type RawHeaders } from '../../model/headers.ts';
import type { RequestMessage } from '../../model/message.ts';
import { formatBytes } from '../sizes.ts';
import { urlOf } from '../url.ts';
import { printfFormat, shellQuote, shellQuoteBytes } from './shell-quote.ts';

/** A request's body as sent. Base64 if it is not UTF-8. */
export type CurlBody = { form: 'text' | 'base64'; data: string } | null;

/** The largest body in a command, bytes: 1 MiB is already more than a terminal handles well. */
export const CURL_BODY_LIMIT = 1024 * 1024;
/** Linux limits an argument to 128 KiB (execve(2), MAX_ARG_STRLEN). In UTF-16 units, of at most 3 bytes each. */
const ARGUMENT_LIMIT = 40_000;
/** From this size on, curl before 7.75 expects `100 Continue`, which costs a second if the origin does not send it. */
const EXPECT_LIMIT = 1024;

/** Fields that curl derives from the URL, the body and the protocol, and fields meant for a proxy. */
const CURLS_OWN = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'proxy-authorization',
]);

/** Curl would keep a `#` and what follows to itself, and URLs have no bytes above 0x7e: `urlOf` encodes them. */
const SENT_AS_IT_IS = /^\/[!"$-~]*$/;

/** Why no command can repeat this request, as a sentence; null if one can. */
export function curlProblem({ kind, request }: Exchange): string | null {
  if (kind === 'connection') return 'This connection carried no request that curl could repeat.';
  if (kind === 'tunnel') return 'This tunnel was not intercepted: the requests in it are not known.';
  // For a WebSocket, these are its messages.
  if (kind === 'upgrade') return null;
  const { size, stored, complete } = request.body;
  if (!complete) return 'The request body is incomplete: the command would send a different request.';
  if (stored < size) return `The session holds ${formatBytes(stored)} of the ${formatBytes(size)} of the request body.`;
  if (size <= CURL_BODY_LIMIT) return null;
  const room = formatBytes(CURL_BODY_LIMIT);
  return (
    `The request body (${formatBytes(size)}) is too long for a command (${room}). Save it, and use --data-binary ` +
    '@FILE.'
  );
}

/**
 * The request as a command for bash, zsh or ksh, if `curlProblem` returns null. Everything is quoted: the shell sees
 * only text, and curl sees no option, file name or pattern. Fields that curl would add although the client did not send
 * them are removed with `-H 'Name:'`. For a WebSocket, the command opens it and prints what the server sends, including
 * frame headers.
 */
export function curlCommand({ kind, request }: Exchange, body: CurlBody): string {
  return kind === 'upgrade' ? webSocketCommand(request) : requestCommand(request, body);
}

function requestCommand(request: RequestMessage, body: CurlBody): string {
  // The request declared a body of length 0.
  const sent = body ?? (firstHeader(request.headers, 'content-length') === '0' ? EMPTY : null);
  const fromInput = isFromInput(sent);
  const parts = [
    ...addressOptions(request),
    ...methodOption(request.method, sent !== null),
    ...versionOption(request),
    ...headerOptions(request, CURLS_OWN, sent === null ? [] : fieldsOfBody(sent)),
    ...(firstHeader(request.headers, 'accept-encoding') ? ['--compressed'] : []),
    ...(sent === null ? [] : [fromInput ? '--data-binary @-' : `--data-raw ${shellQuote(sent.data)}`]),
  ];
  const command = parts.join(' \\\n  ');
  return sent !== null && fromInput ? `${producer(sent)} | ${command}` : command;
}

const EMPTY: NonNullable<CurlBody> = { form: 'text', data: '' };

function addressOptions(request: RequestMessage): string[] {
  const url = urlOf(request);
  const parts = ['curl', shellQuote(url)];
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  // Since 7.87, curl treats `%2e` as a dot.
  if (/\/(?:\.|%2e){1,2}(?:\/|$|\?)/i.test(request.path)) parts.push('--path-as-is');
  if (!SENT_AS_IT_IS.test(request.path)) parts.push(`--request-target ${shellQuoteBytes(request.path)}`);
  return parts;
}

function methodOption(method: string, hasBody: boolean): string[] {
  if (method === (hasBody ? 'POST' : 'GET')) return [];
  if (method !== 'HEAD') return [`-X ${shellQuote(method)}`];
  // --head excludes a request body; -X HEAD alone waits for the body that the response's Content-Length announces.
  return hasBody ? ['-X HEAD', '--include', '--ignore-content-length', "-H 'Connection: close'"] : ['--head'];
}

function versionOption({ httpVersion, scheme }: RequestMessage): string[] {
  if (httpVersion === 'HTTP/2.0') return scheme === 'http' ? ['--http2-prior-knowledge'] : [];
  return [httpVersion === 'HTTP/1.0' ? '--http1.0' : '--http1.1'];
}

/** Fields that curl adds for a body. */
function fieldsOfBody({ data }: NonNullable<CurlBody>): string[] {
  return data.length > EXPECT_LIMIT ? ['Content-Type', 'Expect'] : ['Content-Type'];
}

function headerOptions({ headers }: RequestMessage, except: ReadonlySet<string>, bodyFields: string[]): string[] {
  return [...fieldLines(headers, except), ...absentLines(headers, ['User-Agent', 'Accept', ...bodyFields])].map(
    (line) => `-H ${shellQuoteBytes(line)}`,
  );
}

function fieldLines(headers: RawHeaders, except: ReadonlySet<string>): string[] {
  return (
    headerPairs(headers)
      // A name that is not a token (RFC 9110, section 5.6.2) could be `@file` to curl.
      .filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !except.has(name.toLowerCase()))
      .map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`))
  );
}

function absentLines(headers: RawHeaders, names: readonly string[]): string[] {
  return names.filter((name) => firstHeader(headers, name) === undefined).map((name) => `${name}:`);
}

function isFromInput(body: CurlBody): boolean {
  return body !== null && (body.form === 'base64' || body.data.includes('\0') || body.data.length > ARGUMENT_LIMIT);
}

/**
 * The command that writes the body to curl's standard input. `printf` is a shell builtin, without a limit on arguments.
 */
function producer({ form, data }: NonNullable<CurlBody>): string {
  if (form === 'base64') return `printf %s ${shellQuote(data)} | base64 -d`;
  return data.includes('\0') ? `printf ${printfFormat(data)}` : `printf %s ${shellQuote(data)}`;
}

/**
 * The handshake over HTTP/1.1 (RFC 6455, section 4.1), also for one over HTTP/2 (RFC 8441), which curl does not
 * support.
 */
function webSocketCommand(request: RequestMessage): string {
  const overHttp2 = request.httpVersion === 'HTTP/2.0';
  const handshake = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const except = new Set([...CURLS_OWN].filter((name) => name !== 'connection'));
  return [
    ...addressOptions({ ...request, method: 'GET' }),
    '--http1.1',
    ...(overHttp2 ? handshake.map((line) => `-H ${shellQuote(line)}`) : []),
    ...headerOptions(request, except, []),
    ...['--include', '--no-buffer', '--output -'],
  ].join(' \\\n  ');
}
