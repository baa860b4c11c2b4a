import { expect, test } from 'vitest';
import { Redactor } from '../../../../shared/format/redactor.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

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
