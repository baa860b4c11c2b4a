import { expect, test } from 'vitest';
import { Redactor } from '../../../../../shared/format/redact/redactor.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

const TOKEN = 'tok-4711-abc/def';

function learned(patterns: string[] = []): Redactor {
  const redactor = new Redactor(patterns);
  redactor.learn(exampleExchange({ request: { headers: ['Authorization', `Bearer ${TOKEN}`] } }));
  return redactor;
}

test('the same secret is removed elsewhere, also percent-encoded and before the place that names it', () => {
  const redactor = learned();
  const { request } = redactor.exchange(
    exampleExchange({ request: { path: `/a/${encodeURIComponent(TOKEN)}`, headers: ['X-Note', `was ${TOKEN}`] } }),
  );
  expect([request.path, request.headers[1]]).toEqual(['/a/REDACTED', 'was REDACTED']);
  expect(redactor.body(`let t = "${TOKEN}";`, 'text/javascript', 'response')).toBe('let t = "REDACTED";');
});

test('secrets of bodies are learned, and counted by name', () => {
  const redactor = learned();
  redactor.learnBody('{"password":"hunter2!"}', 'application/json');
  expect(redactor.body('{"password":"hunter2!","note":"hunter2!"}', 'application/json', 'request')).toBe(
    '{"password":"REDACTED","note":"REDACTED"}',
  );
  expect(redactor.counts()).toEqual([
    { place: 'request body', name: 'password', count: 1 },
    { place: 'elsewhere', name: 'the same secrets', count: 1 },
  ]);
});

test('a secret is removed in the forms that JSON and a Basic login give it', () => {
  const redactor = learned();
  redactor.learn(
    exampleExchange({
      // `user:p\u00e4ss-word`
      request: { headers: ['Authorization', 'Basic dXNlcjpww6Rzcy13b3Jk'] },
      response: { headers: ['Location', 'https://me:pass-of-url@a.test/#access_token=tok-in-fragment'] },
    }),
  );
  redactor.learnBody(String.raw`{"token":"half \ud800 of it", "secret":"a\"b\u002Fc-d"}`, 'application/json');
  const text = redactor.text(
    String.raw`tok-4711-abc\/def, p\u00e4ss-word, pass-of-url, tok-in-fragment, half \ud800 of it, a"b/c-d`.replace(
      '\\u00e4',
      '\u00e4',
    ),
  );
  expect(text).toBe(Array(6).fill('REDACTED').join(', '));
});

test.each([0, 1, 2])('a secret is removed from base64, in whatever it stands after %i bytes', (before) => {
  const redactor = learned();
  const encoded = Buffer.from(`${'x'.repeat(before)}${TOKEN} and more`).toString('base64');
  const clean = redactor.text(`data:text/plain;base64,${encoded}`);
  expect(clean).toContain('REDACTED');
  const kept = clean.replace('data:text/plain;base64,', '').split('REDACTED');
  // At most the bits that the first and the last byte share with their neighbours are left.
  expect(Buffer.from(kept.join(''), 'base64').toString('latin1')).not.toMatch(/ok-4711|4711-abc/);
  expect(redactor.text(Buffer.from('an innocent text of some length').toString('base64'))).not.toContain('REDACTED');
});

test('a secret is removed in a form, in lower-case percent codes, in base64url and as Gson escapes it', () => {
  const redactor = new Redactor();
  redactor.learnBody('{"token":"a b/c=d?>>>>>>"}', 'application/json');
  expect(redactor.text('t=a+b%2Fc%3Dd%3F%3E%3E%3E%3E%3E%3E')).toBe('t=REDACTED');
  expect(redactor.text('t=a%20b%2fc%3dd%3f%3e%3e%3e%3e%3e%3e')).toBe('t=REDACTED');
  expect(redactor.text(String.raw`"a b/c\u003dd?\u003e\u003e\u003e\u003e\u003e\u003e"`)).toBe('"REDACTED"');
  expect(redactor.text(Buffer.from('a b/c=d?>>>>>>').toString('base64url'))).toMatch(/^REDACTED.{0,2}$/);
});

test('each of many secrets is found, and what scripts send without one is not looked for', () => {
  const redactor = new Redactor();
  // Few share a prefix, like random ones: those that do are compared one by one.
  const secrets = Array.from({ length: 5_000 }, (_each, at) => `${(at * 7919).toString(36)}-secret`);
  const headers = (value: string) => ({ request: { headers: ['X-Api-Key', value] } });
  for (const secret of secrets) redactor.learn(exampleExchange(headers(secret)));
  redactor.learn(exampleExchange(headers('undefined')));
  expect(redactor.text(secrets.join(' '))).toBe(Array(secrets.length).fill('REDACTED').join(' '));
  expect(redactor.text('if (x === undefined)')).toBe('if (x === undefined)');
});

test('a secret in an early hint', () => {
  const hint = { status: 103, statusText: '', headers: ['Link', `</a?t=${TOKEN}>`], at: 0 };
  const { response } = learned().exchange(exampleExchange({ response: { informational: [hint] } }));
  expect(response?.informational[0]?.headers[1]).toBe('</a?t=REDACTED>');
});

test('custom patterns', () => {
  const redactor = learned(['\\d{4}-\\d{4}']);
  expect(redactor.text('card 1234-5678')).toBe('card REDACTED');
  expect(redactor.counts()).toEqual([{ place: 'pattern', name: '\\d{4}-\\d{4}', count: 1 }]);
});

test('short values and words of cookies are not looked for elsewhere', () => {
  const redactor = new Redactor();
  redactor.learn(exampleExchange({ request: { headers: ['Cookie', 'theme=dark-colours; a=1', 'X-Api-Key', 'abc'] } }));
  expect(redactor.text('dark-colours 1 abc')).toBe('dark-colours 1 abc');
});

test('an invalid pattern', () => {
  expect(() => new Redactor(['('])).toThrow('"(" is not a regular expression');
});

test('a secret is removed as each language writes it into JSON, HTML or another URL', () => {
  const redactor = new Redactor();
  redactor.learnBody(JSON.stringify({ password: 'p\u00e4"ss\\w0rd/<x>' }), 'application/json');
  const written = [
    String.raw`{"n":"p\u00e4\"ss\\w0rd/<x>"}`,
    String.raw`{"n":"p\u00e4\"ss\\w0rd\/<x>"}`,
    String.raw`{"n":"p\u00E4\u0022ss\\w0rd/\u003Cx\u003E"}`,
    '{"n":"p\u00e4\\"ss\\\\w0rd/\\u003cx\\u003e"}',
    '<i>p\u00e4&quot;ss\\w0rd/&lt;x&gt;</i>',
    '<i>p\u00e4&#34;ss\\w0rd/&lt;x&gt;</i>',
    'https://a.test/?to=%2Fb%3Fp%3Dp%25C3%25A4%2522ss%255Cw0rd%252F%253Cx%253E',
  ];
  for (const text of written) expect(redactor.text(text)).not.toContain('w0rd');
});

test.each([
  ['decimal entities', (code: number) => `&#${code};`],
  ['padded decimal entities, as JSP writes them', (code: number) => `&#${String(code).padStart(4, '0')};`],
  ['hexadecimal entities', (code: number) => `&#x${code.toString(16)};`],
  ['units of JavaScript', (code: number) => `\\u${code.toString(16).padStart(4, '0')}`],
  ['units inside JSON inside JSON', (code: number) => `\\\\u${code.toString(16).toUpperCase().padStart(4, '0')}`],
  ['code points of JavaScript', (code: number) => `\\u{${code.toString(16)}}`],
  ['bytes of JavaScript', (code: number) => `\\x${code.toString(16)}`],
  ['percent codes', (code: number) => `%${code.toString(16)}`],
])('a secret is removed in %s, of all characters or of some', (_name, codeOf) => {
  const redactor = learned();
  const coded = (of: RegExp) => TOKEN.replace(of, (character) => codeOf(character.charCodeAt(0)));
  for (const secret of [coded(/./g), coded(/[-/]/g), coded(/[a-c]/g), coded(/^./), coded(/.$/)])
    expect(redactor.text(`é \\u00e9 &amp; <${secret}> &#62; ${secret}`)).toBe(
      'é \\u00e9 &amp; <REDACTED> &#62; REDACTED',
    );
});

test('a secret is removed from UTF-16, which stays readable', () => {
  const text = Buffer.from(`<?xml?><t>${TOKEN}</t> ${TOKEN}`, 'utf16le');
  const clean = (bytes: Buffer) => Buffer.from(learned().text(bytes.toString('latin1')), 'latin1');
  const expected = Buffer.from('<?xml?><t>REDACTED</t> REDACTED', 'utf16le');
  expect(clean(text)).toEqual(expected);
  expect(clean(Buffer.from(text).swap16())).toEqual(Buffer.from(expected).swap16());
});

test('a text of codes, and one made to be slow, are searched quickly', () => {
  const redactor = learned();
  for (const text of ['\\', '&#', '\\u4f60', '%25', '&amp']) {
    const long = text.repeat(1_000_000);
    expect(redactor.text(long)).toBe(long);
  }
});

test('a known secret is removed from what rules and failures say', () => {
  const text = `not ${TOKEN}`;
  const failure = { code: 'rules.script-failed', side: 'roundtrip' as const, message: text, cause: text };
  const exchange = learned().exchange({
    ...exampleExchange({ request: { path: '/' } }),
    failure,
    attempts: [{ startedAfter: 0, duration: 1, connection: null, failure, retryReason: null }],
    rules: [{ index: 0, name: text, actions: ['mark'], problem: text }],
    mark: { colour: 'red', note: text },
  });
  expect(JSON.stringify(exchange)).not.toContain(TOKEN);
  expect(exchange.rules[0]?.name).toBe('not REDACTED');
});

test.each([
  ['ASP.NET Core', 'Ab&#x2B;4711/cd&#x27;&quot;=='],
  ['Handlebars', 'Ab+4711/cd&#x27;&quot;&#x3D;&#x3D;'],
  ['mustache.js', 'Ab+4711&#x2F;cd&#39;&quot;&#x3D;&#x3D;'],
])('a token of base64 is removed as %s writes it into HTML', (_writer, written) => {
  const redactor = new Redactor([]);
  redactor.learn(exampleExchange({ request: { headers: ['Authorization', `Bearer Ab+4711/cd'"==`] } }));
  expect(redactor.text(`<input value="${written}">`)).toBe('<input value="REDACTED">');
});
