import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeBytes, sniff } from '../../../../../electron/engine/listen/sniff.ts';

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

it('bytes are shown as text if possible, else as hex', () => {
  expect(describeBytes(Buffer.from('HELO there, and more of it'))).toBe('"HELO there, and "');
  expect(describeBytes(Buffer.from([0, 1, 0xff]))).toBe('0001ff');
});
