import { headerPairs } from '../../model/headers.ts';
import type { RequestMessage } from '../../model/message.ts';
import { urlOf } from '../url.ts';
import { shellQuote, shellQuoteBytes } from './shell-quote.ts';

/** Fields of the handshake, which websocat generates (RFC 6455, section 4.1). */
const HANDSHAKE = /^(?::.*|host|connection|upgrade|sec-websocket-.*|proxy-.*|content-length)$/i;

/** The command for a POSIX shell that opens the same WebSocket with websocat. */
export function websocatCommand(request: RequestMessage): string {
  const pairs = headerPairs(request.headers);
  const fields = pairs.filter(([name]) => /^[\w.-]+$/.test(name) && !HANDSHAKE.test(name));
  const protocols = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'sec-websocket-protocol' ? [value] : []));
  return [
    `websocat ${shellQuote(urlOf({ ...request, method: 'GET' }).replace(/^http/, 'ws'))}`,
    ...(protocols.length > 0 ? [`--protocol ${shellQuote(protocols.join(', '))}`] : []),
    ...fields.map(([name, value]) => `-H ${shellQuoteBytes(`${name}: ${value}`)}`),
  ].join(' \\\n  ');
}
