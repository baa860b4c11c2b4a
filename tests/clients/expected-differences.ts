/** Tests of other suites that fail behind any proxy, or behind this one, each for the reason given. */
export interface ExpectedDifference {
  reason: string;
  /** `suite file: title`. */
  tests: readonly string[];
}

export const EXPECTED_DIFFERENCES: readonly ExpectedDifference[] = [
  {
    reason: 'TLS ends in Roundtrip: the client checks the certificate that Roundtrip made, not the one of the server.',
    tests: [
      'got test/https.ts: https request with `checkServerIdentity` NOT OK',
      'got test/https.ts: https request with `checkServerIdentity` OK',
      'got test/https.ts: https request with expired certificate',
      'got test/https.ts: https request with wrong host',
    ],
  },
  {
    reason: "TLS ends in Roundtrip: its settings, not the client's, hold the client certificate for the server.",
    tests: [
      'got test/https.ts: client certificate',
      'got test/https.ts: invalid client certificate (other CA)',
      'got test/https.ts: key passphrase',
    ],
  },
  {
    reason:
      'Each side agrees on its own TLS version: the client uses TLS 1.3 and the server, which has no more, TLS 1.2.',
    tests: ['got test/https.ts: https request with `minVersion` option'],
  },
  {
    reason: 'Roundtrip drops the bytes after the end of a response and closes the connection; Node fails the response.',
    tests: ['got test/error.ts: no uncaught parse errors', 'got test/error.ts: no uncaught parse errors #2'],
  },
  {
    reason: 'Each of the two tests above leaves its server open when it fails, and ava waits for it.',
    tests: ['got test/error.ts: (the file did not end)'],
  },
  {
    reason: 'Roundtrip refuses requests with codings that are not registered, and with a comma in a quoted parameter.',
    tests: ['got test/headers.ts: accepts a string `transfer-encoding` header with multiple codings'],
  },
  {
    reason: 'A proxy accepts a connection to a closed port: the client sends its request before it sees the failure.',
    tests: ['got test/stream.ts: works with pipeline'],
  },
];
