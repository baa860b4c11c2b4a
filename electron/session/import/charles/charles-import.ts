import { exchangeIn } from '../har/har-exchange.ts';
import { type ImportedExchange, PartFault } from '../imported.ts';
import { listIn, measureIn, objectIn, textIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';

type Loose = ReturnType<typeof objectIn>;

/** A transaction of Charles' JSON session (.chlsj), converted through the equivalent HAR entry. Throws `PartFault`. */
export function charlesExchange(value: unknown, numbering: Numbering): ImportedExchange {
  const transaction = objectIn(value);
  const request = objectIn(transaction.request);
  if (textIn(transaction.host) === '') throw new PartFault('It has no host.');
  return exchangeIn(
    {
      startedDateTime: objectIn(transaction.times).start,
      time: measureIn(objectIn(transaction.durations).total),
      request: {
        method: textIn(transaction.method) || 'CONNECT',
        url: urlOf(transaction),
        ...messageOf(request, transaction),
        postData: contentOf(request),
      },
      response: responseOf(transaction),
      timings: timingsOf(objectIn(transaction.durations)),
      serverIPAddress: textIn(transaction.remoteAddress).split('/').at(-1),
      connection: transaction.clientPort,
    },
    numbering,
  );
}

function urlOf({ scheme, host, port, path, query }: Loose): string {
  const place = measureIn(port) > 0 ? `:${measureIn(port)}` : '';
  const search = textIn(query) === '' ? '' : `?${query}`;
  return `${textIn(scheme) || 'https'}://${textIn(host)}${place}${textIn(path)}${search}`;
}

function messageOf(message: Loose, { protocolVersion }: Loose) {
  const sizes = objectIn(message.sizes);
  return {
    httpVersion: protocolVersion,
    headers: listIn(objectIn(message.header).headers),
    headersSize: measureIn(sizes.headers),
    bodySize: measureIn(sizes.body),
  };
}

function responseOf(transaction: Loose): object {
  const response = objectIn(transaction.response);
  const problem = textIn(transaction.errorMessage) || textIn(transaction.exception);
  const failed = problem === '' ? {} : { _error: problem };
  const [, text = ''] = /^\S+ \d+ ?(.*)$/.exec(textIn(objectIn(response.header).firstLine)) ?? [];
  return {
    status: response.status,
    statusText: text,
    ...messageOf(response, transaction),
    content: contentOf(response),
    ...failed,
  };
}

/** Charles writes bodies decoded: as text, or as base64 in `encoded`. */
function contentOf(message: Loose): object | undefined {
  const { text, encoding, encoded } = objectIn(message.body);
  if (typeof text === 'string') return { text };
  return encoding === 'base64' && typeof encoded === 'string' ? { text: encoded, encoding } : undefined;
}

function timingsOf({ dns, connect, ssl, request, latency, response }: Loose): object {
  return { dns, connect, ssl, send: request, wait: latency, receive: response };
}
