import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { curlCommand, shellQuote } from '../../../../shared/format/curl.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

test('an ordinary request', () => {
  expect(curlCommand(exampleExchange(), null)).toBe(
    [
      "curl \\\n  'https://api.test/v1/items?page=2' \\\n  --http1.1 \\\n  -H 'Accept: application/json'",
      "-H 'User-Agent: example/1.0'",
    ].join(' \\\n  '),
  );
});

test('a POST over h2, with a text body', () => {
  const command = curlCommand(
    exampleExchange({
      request: {
        method: 'POST',
        httpVersion: 'HTTP/2.0',
        headers: ['content-type', 'application/json', 'accept-encoding', 'br', 'x-empty', '', 'content-length', '7'],
      },
    }),
    { form: 'text', data: `{"a":'@'}` },
  );
  expect(command).toContain(`--data-raw '{"a":'\\''@'\\''}'`);
  expect(command).toContain('--compressed');
  expect(command).toContain("-H 'x-empty;'");
  expect(command).toContain('-H User-Agent:');
  expect(command).not.toMatch(/content-length|-X|--http/);
});

test.each([
  ['DELETE', '-X DELETE'],
  ['HEAD', '--head'],
  ['X;rm', "-X 'X;rm'"],
])('method %s', (method, option) => {
  expect(curlCommand(exampleExchange({ request: { method } }), null)).toContain(option);
});

test('what curl would read as a pattern, a path to shorten or a file name', () => {
  const request = { path: '/a/../b?c[]={1,2}', headers: ['@/etc/passwd', 'x', 'A', '@/etc/passwd'] };
  const command = curlCommand(exampleExchange({ request }), null);
  expect(command).toContain('--globoff');
  expect(command).toContain('--path-as-is');
  expect(command).toContain("-H 'A: @/etc/passwd'");
  expect(command).not.toContain("-H '@");
});

test('a binary body comes from standard input', () => {
  const command = curlCommand(exampleExchange({ request: { method: 'PUT' } }), { form: 'base64', data: 'AAEC/w==' });
  expect(command).toMatch(/^printf %s AAEC\/w== \| base64 -d \| curl/);
  expect(command).toContain('--data-binary @-');
});

describe.skipIf(process.platform === 'win32')('a real shell takes each of these as one word and nothing else', () => {
  test.each([
    'plain',
    '',
    "it's",
    '$(touch /tmp/x) `id` $HOME !! \\ "',
    'two\nlines\tand a tab',
    "escape \u001b[31m, bell \u0007, and 'quotes' \\n",
    'ünïcode 🎉',
  ])('%j', (text) => {
    const printed = execFileSync('bash', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' });
    expect(printed).toBe(text);
  });
});
