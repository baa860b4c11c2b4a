import { describe, expect, it } from 'vitest';
import { readPacAnswer } from '../../../../../electron/engine/route/pac-answer.ts';
import { proxyLabel } from '../../../../../shared/format/proxy-url.ts';

describe('the answer of a PAC file', () => {
  it.each([
    ['DIRECT', 'DIRECT'],
    ['', 'DIRECT'],
    ['PROXY proxy.test:8080', 'http://proxy.test:8080'],
    ['PROXY proxy.test', 'http://proxy.test:80'],
    [
      'proxy a:1;  SOCKS b:2 ; SOCKS5 c:3;HTTPS d:4; direct;',
      'http://a:1 socks4a://b:2 socks5h://c:3 https://d:4 DIRECT',
    ],
    ['PROXY [::1]:8080', 'http://[::1]:8080'],
  ])('%j', (answer, ways) => {
    const names = readPacAnswer(answer).map((proxy) => (proxy === null ? 'DIRECT' : proxyLabel(proxy)));
    expect(names.join(' ')).toBe(ways);
  });

  it.each(['QUIC a:1', 'PROXY', 'PROXY a:99999', 'http://a:1'])('refuses %j', (answer) => {
    expect(() => readPacAnswer(answer)).toThrow();
  });

  it('does not show the login when it refuses', () => {
    expect(() => readPacAnswer('QUIC ann:hunter2@a:1')).toThrow('it returned "QUIC a:1"');
  });
});
