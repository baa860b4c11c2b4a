import { expect, test } from 'vitest';
import { connectionFacts, withoutUpstream } from '../../../../../renderer/features/inspector/connection-facts.ts';
import { EXAMPLE_CLIENT, exampleExchange } from '../../../../support/example-exchange.ts';

test('what another program’s file does not say about a connection is unknown', () => {
  const client = { ...EXAMPLE_CLIENT, id: 0, tls: null, localAddress: null, remoteAddress: null };
  const imported = { ...exampleExchange({ request: { scheme: 'https' }, client, upstream: null }), route: null };
  const facts = Object.fromEntries(connectionFacts(client, imported));
  expect(facts).toMatchObject({ Connection: 'unknown', TLS: 'unknown' });
  expect(withoutUpstream(imported)).toBe('Unknown upstream connection');
});

test('a recorded connection without TLS has none', () => {
  const client = { ...EXAMPLE_CLIENT, id: 7, reused: true, tls: null };
  const route = { via: null, reason: 'no proxy is set', answer: null, override: null };
  const recorded = { ...exampleExchange({ request: { scheme: 'https' }, client, upstream: null }), route };
  expect(Object.fromEntries(connectionFacts(client, recorded))).toMatchObject({ Connection: '7, reused', TLS: 'none' });
  expect(withoutUpstream(recorded)).toBe('No upstream connection');
  const plain = { ...recorded, route: null, request: { ...recorded.request, scheme: 'http' as const } };
  expect(Object.fromEntries(connectionFacts(client, plain))).toMatchObject({ TLS: 'none' });
});
