import { expect, it } from 'vitest';
import { trailerClientSentence, trailerClients } from '../../../../../shared/insight/probes/trailer-clients.ts';
import { exampleFact } from '../../../../support/example-fact.ts';

it('counts clients that accept trailers, and clients that got them', () => {
  const grpc = { 'user-agent': 'grpc/1', te: 'trailers' };
  const facts = [
    exampleFact({ request: grpc, fact: { trailers: 2 } }),
    exampleFact({ request: grpc, fact: { trailers: 1, state: 'aborted' } }),
    exampleFact({ request: { 'user-agent': 'old/1' }, protocol: 'http/1.0', fact: { trailers: 1 } }),
    exampleFact({ request: { 'user-agent': 'curl/8' }, protocol: 'http/1.1', fact: { trailers: 1, isSized: true } }),
    exampleFact({ request: { 'user-agent': 'browser/1' } }),
  ];
  const found = trailerClients(facts);
  expect(found).toEqual([
    { client: 'grpc/1', exchanges: 2, accepting: 2, received: 2, arrived: 1 },
    { client: 'old/1', exchanges: 1, accepting: 0, received: 1, arrived: 0 },
    { client: 'curl/8', exchanges: 1, accepting: 0, received: 1, arrived: 0 },
  ]);
  expect(found.map(trailerClientSentence)).toEqual([
    'grpc/1 accepts trailers in 2 of 2 exchanges; upstream sent trailers in 2, which reached the client in 1.',
    'old/1 accepts trailers in 0 of 1 exchanges; upstream sent trailers in 1, which reached the client in 0.',
    'curl/8 accepts trailers in 0 of 1 exchanges; upstream sent trailers in 1, which reached the client in 0.',
  ]);
});

it('leaves out clients without trailers', () => {
  expect(trailerClients([exampleFact()])).toEqual([]);
});
