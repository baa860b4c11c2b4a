import { expect, it } from 'vitest';
import { ChosenAlpn } from '../../../../../electron/engine/upstream/chosen-alpn.ts';
import { makeOrigin } from '../../../../../electron/engine/upstream/origin.ts';

const DIRECT = { proxy: null, others: [], reason: '', override: null };
const origin = (host: string, alpn: string[], port = 443) =>
  makeOrigin({ scheme: 'https', host, port, serverName: host, alpn }, DIRECT);

it("remembers an origin's choice by the offer, and that it was reached by its address", () => {
  const chosen = new ChosenAlpn();
  chosen.set(origin('a.test', ['h2', 'http/1.1']), 'h2');
  chosen.set(origin('::1', []), null);
  expect(chosen.get(origin('a.test', ['h2', 'http/1.1']))).toBe('h2');
  expect(chosen.get(origin('a.test', ['http/1.1']))).toBeUndefined();
  expect(chosen.get(origin('::1', []))).toBeNull();
  expect(chosen.hasMet({ host: 'a.test', port: 443 })).toBe(true);
  expect(chosen.hasMet({ host: '::1', port: 443 })).toBe(true);
  expect(chosen.hasMet({ host: 'a.test', port: 8443 })).toBe(false);
  chosen.clear();
  expect(chosen.hasMet({ host: 'a.test', port: 443 })).toBe(false);
  expect(chosen.get(origin('a.test', ['h2', 'http/1.1']))).toBeUndefined();
});
