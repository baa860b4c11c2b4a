import { expect, test } from 'vitest';
import { curlCommand, curlProblem } from '../../../../../shared/format/commands/curl.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

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

test.each([
  ['tunnel', 'not intercepted'],
  ['connection', 'carried no request'],
] as const)('there is no command for a %s', (kind, why) => {
  expect(curlProblem(exampleExchange({ kind }))).toContain(why);
  expect(curlProblem(exampleExchange())).toBeNull();
});

test.each([
  [{ size: 10, stored: 10, complete: false }, 'incomplete'],
  [{ size: 4096, stored: 1024, complete: true }, 'The session holds 1.0 KB of the 4.0 KB'],
  [{ size: 2 ** 21, stored: 2 ** 21, complete: true }, 'too long for a command (1.0 MB)'],
])('there is none for a body that is not whole or too long: %j', (body, why) => {
  expect(curlProblem(exampleExchange({ request: { body } }))).toContain(why);
});

test('the credentials of a proxy are not sent to the origin', () => {
  const headers = ['Proxy-Authorization', 'Basic dTpw', 'Proxy-Connection', 'keep-alive', 'Authorization', 'Bearer x'];
  const command = curlCommand(exampleExchange({ request: { headers } }), null);
  expect(command).toContain("-H 'Authorization: Bearer x'");
  expect(command).not.toMatch(/proxy/i);
});
