import { describe, expect, test } from 'vitest';
import { redactBody, redactExchange, redactQuery } from '../../../../../shared/format/redact/redaction.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

const SECRET = 's3cr3t';

test('no secret of an exchange is left in it, and all are named', () => {
  const { exchange, leftOut } = redactExchange(
    exampleExchange({
      request: {
        path: `/v1?access_token=${SECRET}&page=2`,
        headers: [
          ...['Authorization', `Bearer ${SECRET}`, 'Cookie', `sid=${SECRET}; theme=${SECRET}`, 'X-API-Key', SECRET],
          ...['Referer', `https://a.test/?code=${SECRET}`, 'Accept', '*/*', 'X-Csrf-Token', SECRET],
        ],
        trailers: ['X-Auth-Token', SECRET],
      },
      response: {
        headers: ['Set-Cookie', `sid=${SECRET}; Path=/; HttpOnly`, 'Location', `https://a.test/#id_token=${SECRET}`],
        informational: [{ status: 103, statusText: '', headers: ['Set-Cookie', `a=${SECRET}`] }],
      },
    }),
  );
  expect(JSON.stringify(exchange)).not.toContain(SECRET);
  expect(exchange.request.path).toBe('/v1?access_token=REDACTED&page=2');
  expect(exchange.request.headers.slice(0, 6)).toEqual([
    ...['Authorization', 'Bearer REDACTED', 'Cookie', 'sid=REDACTED; theme=REDACTED', 'X-API-Key', 'REDACTED'],
  ]);
  expect(exchange.request.headers.slice(8, 10)).toEqual(['Accept', '*/*']);
  expect(exchange.response?.headers[1]).toBe('sid=REDACTED; Path=/; HttpOnly');
  expect(leftOut.map(({ place, name }) => `${place} ${name}`).sort()).toEqual(
    [
      ...[
        'query access_token',
        'request header Authorization',
        'cookie sid',
        'cookie theme',
        'request header X-API-Key',
      ],
      ...['query code', 'request header X-Csrf-Token', 'request header X-Auth-Token', 'cookie sid', 'query id_token'],
      'cookie a',
    ].sort(),
  );
});

test('messages that rules changed are left out: secrets in them cannot be recognized', () => {
  const edit = { direction: 'to-client', at: 1, before: '', after: null, cut: false } as const;
  const exchange = exampleExchange({ messageEdits: { kept: [edit], total: 1 } });
  expect(redactExchange(exchange).exchange.messageEdits).toBe(null);
});

test('the exchange given stays as it is', () => {
  const exchange = exampleExchange({ request: { headers: ['Authorization', SECRET] } });
  const { exchange: redacted } = redactExchange(exchange);
  expect(exchange.request.headers).toEqual(['Authorization', SECRET]);
  expect(redacted.request.headers).toEqual(['Authorization', 'REDACTED']);
});

test.each([
  ['/a', '/a'],
  ['/a?page=1&q=x', '/a?page=1&q=x'],
  ['/a?client_secret=x&a=1', '/a?client_secret=REDACTED&a=1'],
  ['/a?token=', '/a?token='],
  ['https://me:secret@a.test/?x=1', 'https://me:REDACTED@a.test/?x=1'],
  ['0; url=https://a.test/?token=x', '0; url=https://a.test/?token=REDACTED'],
  ['/a?Api%2DKey=x', '/a?Api%2DKey=REDACTED'],
  ['/a?user[password]=x', '/a?user[password]=REDACTED'],
  ['/a?x=1#access_token=y', '/a?x=1#access_token=REDACTED'],
  ['/a?token=a=b&c', '/a?token=REDACTED&c'],
  ['/logout?id_token_hint=x&max_tokens=5', '/logout?id_token_hint=REDACTED&max_tokens=5'],
])('%s: %s', (address, redacted) => {
  expect(redactQuery(address)).toBe(redacted);
});

describe('bodies', () => {
  test.each([
    ['username=ada&password1=x&password2=x', 'username=ada&password1=REDACTED&password2=REDACTED'],
    ['user[password_confirmation]=x&confirmed=1', 'user[password_confirmation]=REDACTED&confirmed=1'],
    ['cc-number=4111&cc-exp=12&card_cvc=123', 'cc-number=REDACTED&cc-exp=12&card_cvc=REDACTED'],
  ])('the form %s', (form, redacted) => {
    expect(redactBody(form, 'application/x-www-form-urlencoded')).toBe(redacted);
  });

  test('a form', () => {
    expect(redactBody('user=ada&password=x%26y', 'application/x-www-form-urlencoded')).toBe(
      'user=ada&password=REDACTED',
    );
  });

  test('JSON: values of any kind, nested, everything else to the byte', () => {
    const before = '{ "user" : "ada", "password":"a\\"b", "n": ';
    const text = `${before}{ "access_token" : "${SECRET}",\n "pin": 1234 }, "code": "DE" }`;
    const names: string[] = [];
    expect(redactBody(text, 'application/json', (name) => names.push(name))).toBe(
      '{ "user" : "ada", "password":"REDACTED", "n": { "access_token" : "REDACTED",\n "pin": "REDACTED" }, "code": ' +
        '"DE" }',
    );
    expect(names).toEqual(['password', 'access_token', 'pin']);
  });

  test('JSON that was cut short', () => {
    expect(redactBody(`{"a":1,"token":"${SECRET}`, 'application/problem+json')).toBe('{"a":1,"token":"REDACTED"');
  });

  test('a text made to be slow is redacted quickly', () => {
    expect(redactBody(`"${'\\"'.repeat(200_000)}`, 'application/json')).toHaveLength(400_001);
    expect(redactBody('a'.repeat(400_000), 'application/x-www-form-urlencoded')).toHaveLength(400_000);
  });

  test('multipart', () => {
    const part = (name: string, value: string) =>
      `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const text = `${part('user', 'ada')}${part('password', SECRET)}--B--\r\n`;
    expect(redactBody(text, 'multipart/form-data')).toBe(
      `${part('user', 'ada')}${part('password', 'REDACTED')}--B--\r\n`,
    );
  });

  test.each(['', 'text/plain', 'text/event-stream'])('JSON that travels as %j', (type) => {
    const text = `${type.endsWith('stream') ? 'event: a\ndata: ' : ''}{"password":"${SECRET}"}`;
    expect(redactBody(text, type)).toBe(text.replace(SECRET, 'REDACTED'));
  });

  test('other types stay', () => {
    expect(redactBody('password=x', 'text/plain')).toBe('password=x');
  });
});
