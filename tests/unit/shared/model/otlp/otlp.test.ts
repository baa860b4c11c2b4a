import { expect, it } from 'vitest';
import { otlpProblem } from '../../../../../shared/model/otlp/otlp.ts';

it.each(['', 'http://localhost:4318', 'HTTPS://collector.example/otlp?x=1', 'http://[::1]:4318/'])(
  'the collector %j is accepted',
  (url) => {
    expect(otlpProblem({ url, traceLink: '' })).toBeNull();
  },
);

it.each([
  ...[
    'localhost:4318',
    'ftp://a',
    'http://',
    'http:///path',
    'http://a b',
    'http://a/b c',
    'http://a:99999',
    'http://a:0',
  ],
  ...['http://[::1', 'http://a:x'],
])('the collector %j is refused, and the sentence names it', (url) => {
  expect(otlpProblem({ url, traceLink: '' })).toContain(JSON.stringify(url));
});

it.each([
  ['http://jaeger:16686/trace/{traceId}', true],
  ['http://jaeger:16686/#/trace?id={traceId}', true],
  ['http://jaeger:16686/trace', false],
  ['javascript:alert({traceId})', false],
])('the template %j of a trace: %s', (traceLink, isFine) => {
  expect(otlpProblem({ url: '', traceLink }) === null).toBe(isFine);
});

it('a collector with a login is refused without naming the password', () => {
  const problem = otlpProblem({ url: 'http://user:password@a', traceLink: '' });
  expect(problem).toContain('OTEL_EXPORTER_OTLP_HEADERS');
  expect(problem).not.toContain('password');
});
