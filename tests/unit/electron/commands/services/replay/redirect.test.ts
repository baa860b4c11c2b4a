import { expect, it } from 'vitest';
import { redirected } from '../../../../../../electron/commands/services/replay/redirect.ts';
import type { ComposedRequest } from '../../../../../../shared/model/replay/composed-request.ts';

const POST: ComposedRequest = {
  ...{ method: 'POST', url: 'https://a.test/x/y', body: { kind: 'text', text: 'tea' }, protocol: 'as-before' },
  headers: [
    ['Host', 'a.test'],
    ['Authorization', 'secret'],
    ['Content-Type', 'text/plain'],
    ['Accept', '*/*'],
  ],
  ...{ rules: true, route: 'configured', redirects: true, variables: false },
};

const to = (status: number, location: string | null) =>
  redirected(POST, { exchange: 1, status, ttfb: 1, total: 1, failure: null, location });

it('turns a POST into a GET as clients do, and sends no credentials to another origin', () => {
  expect(to(302, '../z')).toMatchObject({
    ...{ method: 'GET', url: 'https://a.test/z', body: { kind: 'none' } },
    headers: [
      ['Authorization', 'secret'],
      ['Accept', '*/*'],
    ],
  });
  expect(to(307, 'https://b.test/')).toMatchObject({
    ...{ method: 'POST', url: 'https://b.test/', body: { kind: 'text', text: 'tea' } },
    headers: [
      ['Content-Type', 'text/plain'],
      ['Accept', '*/*'],
    ],
  });
});

it('follows nothing else', () => {
  for (const [status, location] of [
    [200, '/a'],
    [304, '/a'],
    [302, null],
    [302, 'ftp://a.test/'],
    [302, 'http://['],
  ] as const)
    expect(to(status, location)).toBeNull();
});
