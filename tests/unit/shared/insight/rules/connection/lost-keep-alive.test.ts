import { describe, expect, it } from 'vitest';
import { lostKeepAlive } from '../../../../../../shared/insight/rules/connection/lost-keep-alive.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const H1: ExampleFact = { protocol: 'http/1.1', timings: { dns: 1, connect: 29, ssl: 20 } };

const BROWSER = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site', referer: 'https://shop.test/' };
const POOLS = [{}, { 'sec-fetch-mode': 'cors' }, { referer: 'https://blog.test/' }];

/** Each on a new connection, while the one before is idle. */
function fresh(count: number, of: ExampleFact = {}): ReturnType<typeof exampleFacts> {
  return exampleFacts(count, (index) => ({
    ...H1,
    at: index * 200,
    client: index * 2 + 1,
    upstream: index * 2 + 2,
    ...of,
  }));
}

describe('lost-keep-alive', () => {
  it('reports handshakes while a connection is idle, and that the server closed', () => {
    const [finding] = foundBy(lostKeepAlive, fresh(7, { response: { Connection: 'close' } }));
    expect(finding).toMatchObject({ rule: 'lost-keep-alive', costMs: 180, confidence: 'high' });
    expect(finding?.exchanges).toHaveLength(6);
    expect(finding?.detail).toBe('6 times the server closed (Connection: close).');
  });

  it('names a client that does not reuse its connections', () => {
    expect(foundBy(lostKeepAlive, fresh(7))[0]?.detail).toContain('the client opened a new connection');
  });

  it('names a client that asks to close', () => {
    const [finding] = foundBy(lostKeepAlive, fresh(7, { request: { Connection: 'close' } }));
    expect(finding?.remedy).toContain('in the client');
  });

  it('reports a server that closes the connections of a browser', () => {
    const of = { request: { 'user-agent': 'Mozilla/5.0' }, response: { Connection: 'close' } };
    expect(foundBy(lostKeepAlive, fresh(7, of))[0]?.detail).toContain('the server closed');
  });

  it('reports which side ended the idle connections, and why', () => {
    const end = { at: 0, by: 'upstream', why: 'closed', code: null, windowBlocked: 0 } as const;
    const facts = fresh(7).map((fact) => ({ ...fact, upstreamEnd: { ...end, at: fact.end + 10 } }));
    const [finding] = foundBy(lostKeepAlive, facts);
    expect(finding?.detail).toBe('6 times the server closed it.');
    expect(finding?.remedy).toContain('idle timeout');
    const later = facts.map((fact) => ({ ...fact, upstreamEnd: { ...end, at: fact.end + 60_000 } }));
    expect(foundBy(lostKeepAlive, later)[0]?.detail).toContain('the client opened a new connection');
  });

  it.each([
    ['one connection that is reused', exampleFacts(9, (index) => ({ protocol: 'http/1.1', at: index * 200 }))],
    [
      'connections that work at the same time',
      exampleFacts(6, (index) => ({ ...H1, wait: 900, client: index, upstream: index + 9 })),
    ],
    [
      'pauses longer than servers keep connections',
      fresh(9).map((fact, index) => ({ ...fact, start: fact.start + index * 6000, end: fact.end + index * 6000 })),
    ],
    [
      'requests sent at once, of which one takes the idle connection',
      exampleFacts(18, (index) => {
        const [pair, isSecond] = [Math.floor(index / 2), index % 2 === 1];
        // The new connections stay busy: only the reused one is ever idle.
        const opening = isSecond && index > 1 ? {} : { timings: { dns: 1, connect: 29, ssl: 20 } };
        const of = isSecond ? { client: 1, upstream: 2 } : { wait: 60_000, client: index + 3, upstream: index + 4 };
        return { protocol: 'http/1.1', at: pair * 200, ...opening, ...of };
      }),
    ],
    ['responses that were left, as players do', fresh(9, { fact: { state: 'aborted' } })],
    [
      'fonts, which a browser asks for without credentials, beside images',
      fresh(3, { timings: { connect: 120, ssl: 80 } }).map((fact, index) => ({
        ...fact,
        request: { ...BROWSER, ...POOLS[index] },
      })),
    ],
    [
      'one host that pages of several sites use',
      fresh(9).map((fact, index) => ({ ...fact, request: { ...BROWSER, referer: `https://site${index}.test/` } })),
    ],
    ['connections that a browser keeps apart', fresh(9, { request: { 'user-agent': 'Mozilla/5.0' } })],
    ['one handshake', fresh(2)],
    ['HTTP/2', fresh(9, { protocol: 'h2' })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(lostKeepAlive, facts)).toEqual([]);
  });
});

/** Requests of a program, each on a new client connection, all on one upstream connection. */
function reopened(count: number, of: (index: number) => ExampleFact = () => ({})) {
  const opening = { dns: 1, connect: 9, ssl: 5 };
  return exampleFacts(count, (index) => ({
    protocol: 'http/1.1',
    at: index * 200,
    client: index + 100,
    timings: index === 0 ? opening : {},
    ...of(index),
  }));
}

describe('lost-keep-alive, of a client that the pool served', () => {
  it('reports connections that a client opened beside an idle one, and what they would cost', () => {
    const [finding, ...others] = foundBy(lostKeepAlive, reopened(6));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ costMs: 50, criticalMs: null, confidence: 'medium' });
    expect(finding?.exchanges).toHaveLength(5);
    expect(finding?.title).toContain(
      'A client opened 5 connections to https://api.test although its last one was idle',
    );
  });

  it('reports two if they would cost much', () => {
    const slow = (index: number) => (index === 0 ? { timings: { dns: 10, connect: 90, ssl: 60 } } : {});
    expect(foundBy(lostKeepAlive, reopened(3, slow))).toMatchObject([{ costMs: 200 }]);
  });

  it('has no cost if no handshake was recorded', () => {
    expect(
      foundBy(
        lostKeepAlive,
        reopened(6, () => ({ timings: {} })),
      ),
    ).toMatchObject([{ costMs: null }]);
  });

  it.each([
    ['four of them', reopened(5)],
    ['one connection for all', reopened(9, () => ({ client: 1 }))],
    ['a browser', reopened(9, () => ({ request: { 'user-agent': 'Mozilla/5.0' } }))],
    ['pauses of more than five seconds', reopened(9, (index) => ({ at: index * 6000 }))],
    ['requests at the same time', reopened(9, (index) => ({ at: index, wait: 500 }))],
    ['connections that are used again', [...reopened(9), ...reopened(9, (index) => ({ at: 9000 + index }))]],
    ['several programs', reopened(9, (index) => ({ request: { 'user-agent': `program/${index}` } }))],
    ['HTTP/2', reopened(9, () => ({ protocol: 'h2' }))],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(lostKeepAlive, facts)).toEqual([]);
  });
});
