import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeBytes, sniff, sniffTunnel } from '../../../../../electron/engine/listen/sniff.ts';

const of = (text: string): string => sniff(Buffer.from(text, 'latin1'));

describe('the first bytes', () => {
  it.each([
    ['', 'more'],
    ['P', 'more'],
    ['PRI * HTTP/2.0\r', 'more'],
    ['PRI * HTTP/2.0\r\n', 'http2'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'http2'],
    ['PRI * HTTP/1.1\r\n', 'http1'],
    ['PO', 'http1'],
    ['PROPFIND / HTTP/1.1', 'http1'],
    ['\r\nGET / HTTP/1.1', 'http1'],
    ['M-SEARCH *', 'http1'],
    ['\x16\x03\x01', 'tls'],
    ['\x04\x01', 'socks'],
    ['\x05\x01\x00', 'socks'],
    ['\x80\x2e', 'unknown'],
    [' GET /', 'unknown'],
    ['\0', 'unknown'],
    ['{"a":1}', 'unknown'],
  ])('%j: %s', (text, spoken) => {
    expect(of(text)).toBe(spoken);
  });

  it('a verdict does not change with further bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), fc.uint8Array({ maxLength: 24 }), (first, more) => {
        const early = sniff(Buffer.from(first));
        if (early !== 'more') expect(sniff(Buffer.concat([first, more]))).toBe(early);
      }),
    );
  });

  it('waits for no more than the preface', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 40 }), (bytes) => {
        expect(sniff(Buffer.from(bytes))).not.toBe('more');
      }),
    );
  });
});

describe('the first bytes in a tunnel', () => {
  it.each([
    ['', 'more'],
    ['\r\n', 'more'],
    ['GET', 'more'],
    ['GET /a?b=c HTTP/1.1\r', 'more'],
    ['GET / HTTP/1.1\r\n', 'http1'],
    ['\r\nGET caf\xe9 HTTP/1.0\r\nHost: a', 'http1'],
    // Malformed HTTP: it gets its 400.
    ['GET / a HTTP/3.0\n', 'http1'],
    [`GET /${'a'.repeat(20_000)}`, 'http1'],
    ['PRI * HTTP/2.0\r\n', 'http2'],
    ['CONNECT a:1 HTTP/1.1\r\n', 'http1'],
    ['\x16\x03\x01', 'tls'],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'unknown'],
    ['NICK a\r\nUSER a 0 * :a\r\n', 'unknown'],
    ['*1\r\n$4\r\nPING\r\n', 'unknown'],
    ['AMQP\0\0\x09\x01', 'unknown'],
    ['0032git-upload-pack /a.git\0host=a\0', 'unknown'],
    ['PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\n', 'unknown'],
    ['CONNECT\naccept-version:1.2\n', 'unknown'],
    ['OPTIONS rtsp://a/ RTSP/1.0\r\n', 'unknown'],
    ['GET /\r\n', 'unknown'],
    ['GET /\0 HTTP/1.1\r\n', 'unknown'],
    ['GET / HTTP/1.1\0\r\n', 'unknown'],
  ])('%j: %s', (text, spoken) => {
    expect(sniffTunnel(Buffer.from(text, 'latin1'))).toBe(spoken);
  });

  it('a verdict does not change with further bytes', () => {
    const words = ['GET', ' ', '/', 'a', ' HTTP/1.1', '\r\n', '\n', '\r', '\0', 'PRI * HTTP/2.0', '*1', '\xff'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words)), fc.array(fc.constantFrom(...words)), (first, more) => {
        const early = sniffTunnel(Buffer.from(first.join(''), 'latin1'));
        const whole = sniffTunnel(Buffer.from([...first, ...more].join(''), 'latin1'));
        if (early !== 'more') expect(whole).toBe(early);
      }),
    );
  });
});

it('bytes are shown as text if possible, else as hex', () => {
  expect(describeBytes(Buffer.from('HELO there, and more of it'))).toBe('"HELO there, and "');
  expect(describeBytes(Buffer.from([0, 1, 0xff]))).toBe('0001ff');
});
