/** Tests of other suites that fail behind any proxy, or behind this one, each with its reason. */
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
  {
    reason:
      'Roundtrip sends one HTTP/1.1 request at a time on a connection: the server of this test waits for pipelined ' +
      'ones.',
    tests: [
      'undici test/client-pipelining.js: 20 times GET with pipelining 10',
      'undici test/client-pipelining.js: A client should enqueue as much as twice its pipelining factor',
      'undici test/client-pipelining.js: (the file did not end)',
      'undici test/promises.js: 20 times GET with pipelining 10, async await support',
    ],
  },
  {
    reason:
      'A proxy accepts a connection to a closed port: the client sees it close, where the test expects ECONNREFUSED.',
    tests: [
      'undici test/interceptors/dns.js: Should recover on network errors (dual stack - 4)',
      'undici test/interceptors/dns.js: Should recover on network errors (dual stack - 6)',
      'undici test/interceptors/dns.js: retry once with dual-stack',
      'undici test/interceptors/dump-interceptor.js: Should handle preemptive network error',
      'undici test/interceptors/response-error.js: should throw error for networking errors response',
      'undici test/pool-connection-error-memory-leak.js: Pool client count does not grow on repeated connection errors',
    ],
  },
  {
    reason: 'PING concerns one HTTP/2 connection: Roundtrip has its own on each side.',
    tests: ['undici test/http2-dispatcher.js: Should send http2 PING frames'],
  },
  {
    reason:
      'Roundtrip sends a refused stream again up to twice, over a new connection if need be; the test counts requests.',
    tests: [
      'undici test/http2-refused-stream.js: does not retry REFUSED_STREAM more than once',
      'undici test/http2-refused-stream.js: does not retry REFUSED_STREAM with a streaming body',
      'undici test/http2-goaway-refusal-storm.js: a GOAWAY carrying an error code must not be retried without bound',
      'undici test/http2-goaway-refusal-storm.js: a repeatedly refused h2 request must not reconnect without bound',
    ],
  },
  {
    reason:
      "Roundtrip keeps the client's connection after a GOAWAY with NO_ERROR, and opens another one to the server.",
    tests: [
      'undici test/http2-goaway.js: #3046 - GOAWAY Frame',
      'undici test/http2-goaway.js: #5089 - Handle GOAWAY Gracefully',
    ],
  },
  {
    reason:
      'After a GOAWAY with an error, Roundtrip sends the refused requests again and waits for the one that the ' +
      'server never answers.',
    tests: ['undici test/http2-goaway.js: #5468 - requeue multiplexed requests after mid-burst GOAWAY'],
  },
  {
    reason: 'Roundtrip keeps an HTTP/2 connection to the server for other clients after its client has left.',
    tests: ['undici test/issue-5381.js: HTTP/2 idle sessions honor keepAliveTimeout'],
  },
  {
    reason:
      'Roundtrip refuses a 101 that nobody asked for, and bytes that are no HTTP: the client sees its connection ' +
      'close.',
    tests: ['undici test/http-100.js: error 101 upgrade', 'undici test/parser-issues.js: parser fail'],
  },
  {
    reason: 'Roundtrip drops the bytes after the end of a response and closes the connection; undici fails on them.',
    tests: [
      'undici test/issue-810.js: https://github.com/mcollina/undici/issues/810',
      'undici test/issue-810.js: https://github.com/mcollina/undici/issues/810 pipelining 2',
    ],
  },
  {
    reason: 'TLS ends in Roundtrip: the client checks the certificate that Roundtrip made, not the one of the server.',
    tests: ['undici test/proxy-agent.js: Proxy via HTTPS to HTTP fails on wrong SNI'],
  },
  {
    reason:
      "A test above fails and leaves a server or client open; or the client and server wait for each other's idle " +
      'connection to end.',
    tests: [
      'undici test/http-100.js: (the file did not end)',
      'undici test/http2-dispatcher.js: (the file did not end)',
      'undici test/http2-goaway.js: (the file did not end)',
      'undici test/interceptors/dns.js: (the file did not end)',
      'undici test/issue-810.js: (the file did not end)',
      'undici test/parser-issues.js: (the file did not end)',
      'undici test/proxy-agent.js: (the file did not end)',
    ],
  },
  {
    reason:
      'The test listens for the end of its WebSocket after the beginning, and now and then misses it: both arrive in ' +
      'one read.',
    tests: [
      'undici test/websocket/diagnostics-channel-handshake-response-h2.js: ' +
        'diagnostics channel - undici:websocket:open includes handshake response over h2',
      'undici test/websocket/diagnostics-channel-handshake-response-h2.js: (the file did not end)',
    ],
  },
];
