import { describe, expect, it } from 'vitest';
import { detailRow } from '../../../../../electron/session/format/detail-row.ts';
import { DetailPattern, PatternReader } from '../../../../../electron/session/insight/detail-pattern.ts';
import { DetailTexts } from '../../../../../electron/session/insight/detail-texts.ts';
import { factDetail } from '../../../../../shared/insight/fact-detail.ts';
import { EXAMPLE_UPSTREAM, type ExampleExchange, exampleExchange } from '../../../../support/example-exchange.ts';

const OK = exampleExchange();
const failure = { code: 'upstream.refused', message: 'refused', side: 'upstream', cause: null } as const;
const route = { via: null, reason: 'no upstream proxy is set', answer: null, override: null };
const request = (...headers: string[]): ExampleExchange => ({ request: { headers } });
const response = (...headers: string[]): ExampleExchange => ({ response: { headers } });
const attempt = { startedAfter: 0.5, duration: 1e-7, connection: EXAMPLE_UPSTREAM, failure: null, retryReason: null };

/** Exchanges of every form that a detail's text can have. */
const FORMS: Record<string, ExampleExchange> = {
  plain: {},
  'another value': request('Host', 'b.test', 'Accept', 'text/html', 'User-Agent', 'other/2.0'),
  'names in another case': request('host', 'b.test', 'ACCEPT', 'text/html'),
  'names twice': request('Accept', 'a', 'accept', 'b', 'Cookie', 'c=1', 'Cookie', 'd=2'),
  'no names': { ...request(), ...response() },
  'quotes and backslashes': response('ETag', '"a\\b"', 'Content-Type', 'text/html; charset="utf-8"', 'X', '\\"'),
  'a quote at the end': response('ETag', 'W/"', 'Cache-Control', 'no-store\\'),
  'control characters and Latin-1': response('Location', '/\u0007\t\u00e9\u0085', 'Age', '17'),
  'names of regular expressions': request('a.*(b)[c]{d}|^$+?-/\\', 'x', 'Accept', 'y'),
  'quotes in a name': request('"a', 'x', 'Accept', 'y'),
  'a text like the next name': request('Accept', 'x","Range","y', 'Range', '","'),
  'a route': { route },
  'a route with braces': { route: { ...route, reason: 'The rule {a} says "}"' } },
  'no response': { response: null, failure },
  'a failure': { failure },
  'trailers of a request': { request: { trailers: ['a', 'b'] } },
  'trailers of a response': { response: { trailers: ['a', 'b'] } },
  'a sized response with trailers': { response: { headers: ['Content-Length', '1'], trailers: ['a', 'b'] } },
  'an unknown size': { request: { headSize: -1 }, response: { headSize: -1 } },
  'a response that was cut': { response: { body: { size: 9, stored: 9, complete: false } } },
  'no attempt': { attempts: [] },
  'small figures': { attempts: [attempt] },
  retries: { attempts: [{ ...attempt, retryReason: 'refused-stream' }, attempt] },
  'an odd host': { request: { host: 'a",[b' } },
};

const textOf = (of: ExampleExchange) => JSON.stringify(detailRow(exampleExchange(of)));
const dataOf = (of: ExampleExchange) => structuredClone(factDetail(exampleExchange(of)));

describe('the details of facts', () => {
  const texts = new DetailTexts();
  // Twice to learn it, and once more to be read by what was learned.
  for (const round of [1, 2, 3])
    it.each(Object.entries(FORMS))(`are those of the exchange: %s, time ${round}`, (_, of) => {
      expect(texts.read(textOf(of), 'one kind')).toEqual(dataOf(of));
      expect(texts.read(textOf(of), JSON.stringify(of))).toEqual(dataOf(of));
    });

  it('are none if the text is damaged', () => {
    const text = textOf({});
    for (const damaged of ['', 'null', text.slice(0, -1), text.replace('"Accept"', '"Accept'), `${text}x`])
      expect(texts.read(damaged, 'one kind')).toBeNull();
  });
});

describe('a pattern for details', () => {
  const pattern = new PatternReader(new DetailPattern(detailRow(OK)));

  it('fits those with the same names, whatever the values', () => {
    const of = { ...request('Host', 'b', 'Accept', '"\\', 'User-Agent', ''), route };
    expect(pattern.read(textOf(of))).toEqual(dataOf(of));
  });

  it('fits no other', () => {
    const others = ['names in another case', 'no response', 'trailers of a request', 'a failure', 'retries'];
    expect(others.map((form) => pattern.read(textOf(FORMS[form] ?? {})))).toEqual(others.map(() => null));
  });
});
