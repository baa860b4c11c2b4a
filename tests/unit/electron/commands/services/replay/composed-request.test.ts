import { describe, expect, it } from 'vitest';
import { composedRequest } from '../../../../../../electron/commands/services/replay/composed-request.ts';
import type { ComposedRequest } from '../../../../../../shared/model/replay/composed-request.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const WRITTEN: ComposedRequest = {
  ...{ method: 'POST', url: 'https://a.test:8443/x/../y?q=%zz', headers: [['Accept', '*/*']] },
  ...{ body: { kind: 'none' }, protocol: 'http/1.1', rules: true, route: 'configured', redirects: false },
  variables: false,
};
const HTTP2 = exampleExchange({
  request: {
    httpVersion: 'HTTP/2.0',
    headers: [':method', 'GET', ':path', '/', ':authority', 'a', ':scheme', 'https'],
  },
});

describe('a written request', () => {
  it('goes to its URL, with the path as written', () => {
    expect(composedRequest(WRITTEN, null, 0)).toMatchObject({
      ...{ scheme: 'https', host: 'a.test', port: 8443, authority: 'a.test:8443', path: '/x/../y?q=%zz' },
      ...{ version: 'HTTP/1.1', alpn: ['http/1.1'], headers: ['Host', 'a.test:8443', 'Accept', '*/*'] },
    });
    const address = composedRequest({ ...WRITTEN, url: 'HTTP://[::1]:80?q=a b é' }, null, 0);
    expect(address).toMatchObject({ host: '::1', port: 80, authority: '[::1]', path: '/?q=a%20b%20%C3%A9' });
  });

  it('names its host in ASCII', () => {
    const url = 'https://bücher.test:81/ü';
    const named = composedRequest({ ...WRITTEN, url, headers: [['Host', 'bücher.test:81']] }, null, 0);
    const host = 'xn--bcher-kva.test';
    expect(named).toMatchObject({ host, serverName: host, authority: `${host}:81`, headers: ['Host', `${host}:81`] });
    expect(composedRequest({ ...WRITTEN, url: 'https://a_b.TEST/' }, null, 0)).toMatchObject({ host: 'a_b.TEST' });
  });

  it('keeps the Host that it has', () => {
    const named = composedRequest({ ...WRITTEN, headers: [['host', 'other.test']] }, null, 0);
    expect(named).toMatchObject({ host: 'a.test', authority: 'other.test', headers: ['host', 'other.test'] });
  });

  it("declares the length of its body, in the field's original place", () => {
    const headers: ComposedRequest['headers'] = [
      ['content-length', '3'],
      ['Accept', '*/*'],
    ];
    const fields = (written: Partial<ComposedRequest>, length: number) =>
      composedRequest({ ...WRITTEN, ...written }, null, length).headers.slice(2);
    expect(fields({ headers }, 7)).toEqual(['content-length', '7', 'Accept', '*/*']);
    expect(fields({ headers: [] }, 7)).toEqual(['Content-Length', '7']);
    expect(fields({ headers: [] }, 0)).toEqual([]);
    expect(fields({ headers: [['Transfer-Encoding', 'chunked']] }, 7)).toEqual(['Transfer-Encoding', 'chunked']);
  });

  it('has the protocol and the pseudo-header order of the request that was edited', () => {
    const of = { exchange: HTTP2, session: 's' };
    expect(composedRequest({ ...WRITTEN, protocol: 'as-before' }, of, 0)).toMatchObject({
      ...{ version: 'HTTP/2.0', alpn: ['h2'], replayOf: { session: 's', exchange: 1 } },
      headers: [
        ...[':method', 'POST', ':path', '/x/../y?q=%zz', ':authority', 'a.test:8443', ':scheme', 'https'],
        ...['accept', '*/*'],
      ],
    });
    expect(composedRequest({ ...WRITTEN, protocol: 'as-before' }, null, 0).alpn).toEqual(['h2', 'http/1.1']);
  });

  it.each([
    ['ftp://a.test/', 'its URL must be like https://host/path'],
    ['https://ä^b.test/', 'ä^b.test is not the name of a host'],
    ['https://user@a.test/', 'its URL must be like https://host/path'],
    ['https:///x', 'its URL must be like https://host/path'],
    ['https://a.test:99999/', 'there is no port 99999'],
  ])('%s is refused', (url, problem) => {
    expect(() => composedRequest({ ...WRITTEN, url }, null, 0)).toThrow(problem);
  });
});
