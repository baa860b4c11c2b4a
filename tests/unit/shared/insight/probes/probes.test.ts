import { describe, expect, it } from 'vitest';
import { splitRequest, splitSentence } from '../../../../../shared/insight/probes/split-request.ts';
import { trailerProbe, trailerSentence } from '../../../../../shared/insight/probes/trailers.ts';
import { EXAMPLE_CLIENT, exampleExchange } from '../../../../support/example-exchange.ts';

const BODY = { size: 41, stored: 41, complete: true };

describe('the split-request probe', () => {
  it('distinguishes one piece from two', () => {
    const one = splitRequest(exampleExchange({ request: { body: BODY }, timings: { send: 0 } }));
    expect(one).toEqual({ inOnePiece: true, apart: 0, segments: 1, expects: false });
    const two = splitRequest(exampleExchange({ request: { body: BODY }, timings: { send: 40.2 } }));
    expect(two && splitSentence(two)).toBe(
      "Head and body left in at least two pieces, 40.2 ms apart; one segment would do. With Nagle's algorithm in " +
        'the client, the second piece costs a round trip: 20 ms at a round trip of 20 ms, 100 ms at a round trip of ' +
        '100 ms.',
    );
  });

  it('counts the segments that the bytes need', () => {
    const body = { ...BODY, size: 3000 };
    const split = splitRequest(exampleExchange({ request: { body }, timings: { send: 0 } }));
    expect(split && splitSentence(split)).toBe('Head and body arrived in one piece, which fits in 3 segments.');
  });

  it('knows bodies that leave in pieces in any case', () => {
    const sentence = (size: number) => {
      const split = splitRequest(exampleExchange({ request: { body: { ...BODY, size } }, timings: { send: 52.3 } }));
      return split && splitSentence(split);
    };
    expect(sentence(3_000_000)).toBe('Head and body need 2,072 segments, which arrived within 52.3 ms.');
    expect(sentence(16_000)).toContain('12 segments would do');
  });

  it('knows a body that waits for 100 on purpose', () => {
    const request = { body: BODY, headers: ['Expect', '100-continue'] };
    const split = splitRequest(exampleExchange({ request, timings: { send: 4.1 } }));
    expect(split && splitSentence(split)).toBe(
      'The body followed after 4.1 ms: the client waited for the response 100 (Expect: 100-continue).',
    );
  });

  it('reports nothing for requests without a body, for HTTP/2, and for bodies that the throttle held', () => {
    expect(splitRequest(exampleExchange())).toBeNull();
    const held = exampleExchange({ request: { body: BODY }, timings: { send: 40, rulesSend: 39 } });
    expect(splitRequest(held)).toBeNull();
    expect(
      splitRequest(exampleExchange({ request: { body: BODY }, client: { ...EXAMPLE_CLIENT, protocol: 'h2' } })),
    ).toBeNull();
  });
});

describe('the trailer probe', () => {
  const sent = { trailers: ['Digest', 'x'] };

  it('reports what the client accepts', () => {
    const request = { headers: ['TE', 'deflate, Trailers'] };
    expect(trailerProbe(exampleExchange({ request }))).toEqual({ accepts: true, received: 0, arrived: false });
  });

  it('reports whether trailers reached the client', () => {
    expect(trailerSentence(trailerProbe(exampleExchange({ response: sent })))).toBe(
      'The client does not say that it accepts trailers; 1 trailer field came from upstream and reached the client.',
    );
    const old = { ...EXAMPLE_CLIENT, protocol: 'http/1.0' } as const;
    expect(trailerProbe(exampleExchange({ response: sent, client: old })).arrived).toBe(false);
    expect(trailerProbe(exampleExchange({ response: sent, state: 'aborted' })).arrived).toBe(false);
  });

  it('knows that HTTP/1.1 carries no trailers beside a length, and HTTP/2 does', () => {
    const response = { ...sent, headers: ['content-length', '5'] };
    expect(trailerProbe(exampleExchange({ response })).arrived).toBe(false);
    const client = { ...EXAMPLE_CLIENT, protocol: 'h2' } as const;
    expect(trailerProbe(exampleExchange({ response, client })).arrived).toBe(true);
  });
});
