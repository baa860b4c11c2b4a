import { describe, expect, it } from 'vitest';
import { htkRules } from '../../../../../electron/rules-file/import/htk-rules.ts';
import { ruleMatches } from '../../../../../shared/filter/rule-query.ts';
import type { RequestMessage } from '../../../../../shared/model/message.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

interface Part {
  type: string;
  [field: string]: unknown;
}

function imported(matchers: readonly Part[], steps: readonly Part[] = [{ type: 'timeout' }], more: object = {}) {
  const rule = { type: 'http', title: 'it', activated: true, matchers, steps, ...more };
  // As read from a file.
  const { rules, skipped } = htkRules(JSON.parse(JSON.stringify({ items: [rule] }))) ?? { rules: [], skipped: [] };
  return { rules, skipped, actions: rules[0]?.do };
}

function matches(matcher: Part, request: Partial<RequestMessage>): boolean {
  const { rules, skipped } = imported([matcher]);
  const [rule] = rules;
  if (rule === undefined) throw new Error(skipped.join());
  return ruleMatches(rule, exampleExchange({ request }));
}

const transform = (transformRequest: object, transformResponse: object = {}): Part => ({
  ...{ type: 'passthrough', uiType: 'req-res-transformer' },
  ...{ transformRequest, transformResponse },
});
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

describe('the matchers of HTTP Toolkit', () => {
  it.each([
    // The numbers are those of mockttp.
    [{ type: 'method', method: 2 }, { method: 'PUT' }, { method: 'DELETE' }],
    [{ type: 'method', method: 3 }, { method: 'DELETE' }, { method: 'PUT' }],
    [{ type: 'header', headers: { 'x-a': 'b c' } }, { headers: ['X-A', 'b c'] }, { headers: ['X-A', 'c'] }],
    [
      { type: 'header', headers: { 'x-a': ['1', '2'] } },
      { headers: ['X-A', '1', 'X-A', '2'] },
      { headers: ['X-A', '1'] },
    ],
    [{ type: 'cookie', cookie: { beta: '1' } }, { headers: ['Cookie', 'a=b; beta=1'] }, { headers: ['Cookie', 'a=1'] }],
    [{ type: 'query', queryObject: { a: '1', b: 'x y' } }, { path: '/p?b=x+y&a=1' }, { path: '/p?a=12&b=x%20y' }],
    [{ type: 'query', queryObject: { a: ['1', '2'] } }, { path: '/p?a=2&c=3&a=1' }, { path: '/p?a=1' }],
    [{ type: 'query', queryObject: { a: '' } }, { path: '/p?a' }, { path: '/p?ab' }],
    [{ type: 'exact-query-string', query: '?a=1' }, { path: '/p?a=1' }, { path: '/p?a=1&b' }],
    [{ type: 'exact-query-string', query: '' }, { path: '/p' }, { path: '/p?a' }],
    [{ type: 'simple-path', path: '/users' }, { path: '/users?a' }, { path: '/v1/users' }],
    [{ type: 'simple-path', path: 'https://api.test:443/users' }, { path: '/users' }, { path: '/users/1' }],
    [{ type: 'simple-path', path: 'api.test/users' }, { path: '/users' }, { path: '/?to=https://api.test/users' }],
    [{ type: 'regex-path', regexSource: '^\\/users' }, { path: '/users/1' }, { path: '/v1/users' }],
    [{ type: 'regex-path', regexSource: 'users$' }, { path: '/users?a=1' }, { path: '/users/1' }],
    [{ type: 'host', host: 'api.test:443' }, { path: '/' }, { scheme: 'http' as const }],
    [{ type: 'host', host: 'b.test' }, { authority: 'b.test' }, { path: '/?to=https://b.test/' }],
    [{ type: 'port', port: '443' }, { authority: 'api.test' }, { authority: 'api.test:8443' }],
    [{ type: 'port', port: '8443' }, { authority: 'api.test:8443' }, { authority: 'api.test' }],
  ])('%j matches %j and not %j', (matcher, fitting, other) => {
    expect(matches(matcher, fitting)).toBe(true);
    expect(matches(matcher, other)).toBe(false);
  });

  it.each([
    [{ type: 'header', headers: { a: 'sec*ret' } }, 'the matcher header has a *, which queries read as any text'],
    [{ type: 'header', headers: { a: '' } }, "the matcher header asks for an empty value, which queries can't"],
    [{ type: 'header' }, 'the matcher header has no headers'],
    [{ type: 'cookie', cookie: { a: '1', b: '2' } }, 'never matches in HTTP Toolkit'],
    [{ type: 'method', method: 99 }, 'the method 99 is not known here'],
    [{ type: 'raw-body', content: 'a' }, 'the matcher raw-body has no equivalent'],
    // One rule that is not valid would stop the whole file.
    [{ type: 'protocol', protocol: 'wss' }, 'scheme: takes one of http, https.'],
  ])('refuses %j', (matcher, reason) => {
    expect(imported([matcher])).toMatchObject({ rules: [], skipped: [expect.stringContaining(reason)] });
  });

  it('says that a field is not compared exactly', () => {
    expect(imported([{ type: 'header', headers: { a: 'b', c: 'd' } }])).toMatchObject({
      rules: [{ when: 'header:"a: b" header:"c: d"' }],
      skipped: [expect.stringContaining('also fits longer values')],
    });
  });
});

describe('the steps of HTTP Toolkit', () => {
  it('decodes the body of an answer', () => {
    const data = { type: 'Buffer', data: base64('hi') };
    expect(imported([], [{ type: 'simple', status: 200, data }]).actions).toMatchObject([
      { answer: { bodyBase64: base64('hi') } },
    ]);
    // A text is the body itself.
    expect(imported([], [{ type: 'simple', status: 200, data: 'aGk=' }]).actions).toMatchObject([
      { answer: { body: 'aGk=' } },
    ]);
  });

  it('decodes new bodies, which are base64', () => {
    const step = transform({ replaceBody: base64('{"ä":1}') }, { replaceBody: base64('') });
    expect(imported([], [step]).actions).toMatchObject([
      { changeRequest: { body: '{"ä":1}' } },
      { changeResponse: { body: '' } },
    ]);
    expect(imported([], [transform({ replaceBody: 'no base64!' })]).actions).toMatchObject([
      { changeRequest: { body: 'no base64!' } },
    ]);
  });

  it.each(['__http_toolkit_undefined_placeholder__', '__mockttp__transform__omit__'])(
    'reads updates that are JSON in a text, with %s for what is removed',
    (removed) => {
      const updateHeaders = JSON.stringify({ 'x-new': '1', 'x-old': removed, 'x-two': ['a', 'b'] });
      const updateJsonBody = JSON.stringify({ a: 1, b: removed, c: { d: removed, e: 'f' } });
      expect(imported([], [transform({ updateHeaders }, { updateJsonBody })]).actions).toMatchObject([
        {
          changeRequest: {
            removeHeaders: ['x-old'],
            setHeaders: [
              ['x-new', '1'],
              ['x-two', 'a'],
            ],
            addHeaders: [['x-two', 'b']],
          },
        },
        { changeResponse: { mergeJson: { a: 1, b: null, c: { d: null, e: 'f' } } } },
      ]);
    },
  );

  it.each([
    [transform({ replaceBody: base64(Uint8Array.of(0xff)) }), 'the new body is not text'],
    [transform({ updateJsonBody: '{"a":null}' }), 'setting a JSON field to null has no equivalent'],
    [transform({ updateJsonBody: '{"a":[1]}' }), 'changing a list in a JSON body has no equivalent'],
    [transform({ updateJsonBody: '[1]' }), 'changing the request by updateJsonBody has a form'],
    [transform({ updateHeaders: '{' }), 'changing the request by updateHeaders has a form'],
    [transform({}, { matchReplaceBody: [['a', 'b']] }), 'changing the response by matchReplaceBody has no equivalent'],
    [transform({ replaceHost: { targetHost: 'b.test', updateHostHeader: 'c.test' } }), 'a Host header other than'],
    [{ type: 'simple', status: 200, trailers: { a: 'b' } }, 'trailers of an answer have no equivalent'],
  ])('refuses %j: %s', (step, reason) => {
    expect(imported([], [step])).toMatchObject({ rules: [], skipped: [expect.stringContaining(reason)] });
  });

  it('keeps the new scheme of a forwarded request', () => {
    const step = transform({ setProtocol: 'http', replaceHost: { targetHost: 'b.test:81' } });
    expect(imported([], [step]).actions).toMatchObject([{ mapTo: { scheme: 'http', host: 'b.test', port: 81 } }]);
  });

  it('says that a status message is left out', () => {
    expect(imported([], [{ type: 'simple', status: 200, statusMessage: 'Fine' }])).toMatchObject({
      actions: [{ answer: { status: 200 } }],
      skipped: ['it: its status message is left out'],
    });
  });

  it('refuses a rule that ends after some requests', () => {
    const { rules, skipped } = imported([], [{ type: 'timeout' }], { completionChecker: { type: 'once' } });
    expect({ rules, skipped }).toEqual({ rules: [], skipped: [expect.stringContaining('ends after some requests')] });
    expect(imported([], [{ type: 'timeout' }], { completionChecker: { type: 'always' } }).rules).toHaveLength(1);
  });
});
