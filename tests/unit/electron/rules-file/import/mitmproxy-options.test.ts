import { describe, expect, it } from 'vitest';
import { replaced } from '../../../../../electron/engine/rules/replacements.ts';
import { mitmproxyRules } from '../../../../../electron/rules-file/import/mitmproxy-options.ts';
import { ruleMatches } from '../../../../../shared/filter/rule-query.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

function imported(option: string, ...specs: string[]) {
  const { rules, skipped } = mitmproxyRules({ [option]: specs }, null) ?? { rules: [], skipped: ['no rules'] };
  return { rules, skipped, actions: rules.map(({ when, do: actions }) => [when, actions]) };
}

/** Where a mapping leads a URL; null: it does not apply. */
function mapped(spec: string, url: string): string | null {
  const [rule] = imported('map_remote', spec).rules;
  if (rule === undefined) throw new Error('not imported');
  const { protocol, host, pathname, search } = new URL(url);
  const [scheme, path] = [protocol === 'https:' ? 'https' : 'http', `${pathname}${search}`] as const;
  if (!ruleMatches(rule, exampleExchange({ request: { scheme, authority: host, path } }))) return null;
  const [action] = rule.do;
  if (action === undefined || !('mapTo' in action)) throw new Error('not a mapping');
  const to = action.mapTo;
  const port = to.port === undefined ? '' : `:${to.port}`;
  return `${to.scheme ?? scheme}://${to.host}${port}${replaced(path, to.replacePath ?? [], 1000)}`;
}

describe('map_remote', () => {
  it.each([
    [
      '|https://api.test/v1/|http://localhost:3000/v2/',
      'https://api.test/v1/a/v1/b?c',
      'http://localhost:3000/v2/a/v1/b?c',
    ],
    ['|https://api.test/v1/|http://localhost:3000/v2/', 'http://api.test/v1/a', null],
    // The path is put before the whole path, not in place of each slash.
    ['|https://api.test|https://b.test/v2', 'https://api.test/a/b', 'https://b.test/v2/a/b'],
    ['|https://api.test/v1|https://b.test', 'https://api.test/v1/a', 'https://b.test/a'],
    ['|https?://api\\.test/|http://b.test/', 'http://api.test/a', 'http://b.test/a'],
    ['|//api.test/|//b.test/', 'https://api.test/a', 'https://b.test/a'],
    ['|api.test|b.test:81', 'http://api.test/a', 'http://b.test:81/a'],
    // The text of the URL somewhere else in a URL is not the host.
    ['|//api.test/|//b.test/', 'https://other.test/?to=https://api.test/', null],
    ['|api.test|b.test', 'https://other.test/api.test/', null],
    ['|https://api.test|https://b.test', 'https://api.test.evil/', null],
    // The separator is the first character, and the filter may be left out.
    [':~m GET://api.test/://b.test/', 'https://api.test/a', 'https://b.test/a'],
    [':~m POST://api.test/://b.test/', 'https://api.test/a', null],
    ['|~q|//api.test/|//b.test/x|y/', 'https://api.test/a', 'https://b.test/x|y/a'],
  ])('maps by %s: %s to %s', (spec, url, target) => {
    expect(mapped(spec, url)).toBe(target);
  });

  it.each([
    ['|a|b', 'a URL with a pattern has no equivalent'],
    ['|v1.|v2', 'a URL with a pattern has no equivalent'],
    ['|//a.test/a$|//b.test/', 'a URL with a pattern has no equivalent'],
    ['|/v1/|/v2/', 'a URL with a pattern has no equivalent'],
    ['|//a.test/|https://b.test/', 'must begin alike'],
    ['|https://a.test/|b.test/', 'must begin alike'],
    ['|https://a.test/|https://b.test', 'no slash where the pattern has one'],
    ['|https://a.test/|https://\\1/', 'not a literal one with a host'],
    ['|~s|https://a.test/|https://b.test/', 'matches no request'],
    ['|~c 404|https://a.test/|https://b.test/', 'matches no request'],
    ['||https://a.test/|https://b.test/', 'its filter is empty'],
    ['|https://a.test/', 'not of the form'],
    ['', 'not of the form'],
  ])('refuses %s: %s', (spec, reason) => {
    expect(imported('map_remote', spec)).toMatchObject({ rules: [], skipped: [expect.stringContaining(reason)] });
  });

  it('says that a host without slashes before it is taken as one', () => {
    expect(imported('map_remote', '|api.test|b.test').skipped).toEqual([
      'map_remote |api.test|b.test: it applies to the host api.test only, not to other URLs that contain its text',
    ]);
  });
});

describe('map_local', () => {
  it('takes a filter, and refuses one that matches no request', () => {
    const { actions, skipped } = imported(
      'map_local',
      ':~m GET:a.test/x.js|a.test/y.js:/tmp/x.js',
      ':~s:a.test:/tmp/x.js',
    );
    expect(actions).toMatchObject([
      ['method:GET (url:a.test/x.js OR url:a.test/y.js)', [{ answer: { file: '/tmp/x.js' } }]],
    ]);
    expect(skipped).toEqual([expect.stringContaining('matches no request')]);
  });

  it('refuses a folder for a text that is no host', () => {
    expect(imported('map_local', '|assets|/tmp/static').skipped).toEqual([
      expect.stringContaining('has no equivalent'),
    ]);
  });
});

describe('modify_headers and modify_body', () => {
  it('changes what the filter matches on each side', () => {
    const change = { setHeaders: [['x-a', 'b']] };
    const specs = [
      '/~c 404/x-a/b',
      '/!~s/x-a/b',
      '/(~q & ~u a) | (~s & ~u b)/x-a/b',
      '/~s | ~q/x-a/b',
      '/~t json/x-a/b',
    ];
    expect(imported('modify_headers', ...specs)).toMatchObject({
      skipped: [],
      actions: [
        ['status:404', [{ changeResponse: change }]],
        ['', [{ changeRequest: change }]],
        ['url:a', [{ changeRequest: change }]],
        ['url:b', [{ changeResponse: change }]],
        ['', [{ changeRequest: change }, { changeResponse: change }]],
        ['header:"content-type: *json"', [{ changeRequest: change }]],
        ['header:"content-type: *json"', [{ changeResponse: change }]],
      ],
    });
  });

  it('keeps separators in the last part, and refuses a filter that matches nothing', () => {
    expect(imported('modify_headers', '/~q/x-a/b/c/', '/~q & ~s/x-a/b')).toMatchObject({
      actions: [['', [{ changeRequest: { setHeaders: [['x-a', 'b/c/']] } }]]],
      skipped: [expect.stringContaining('matches nothing')],
    });
  });

  it.each([
    ['/a.b/c', 'a\nb', 'c'],
    ['/a\\.b/c', 'a-b a.b', 'a-b c'],
    ['/[.]/c', 'a.', 'ac'],
    ['/(a)(b)/\\2\\g<1>0', 'ab', 'ba0'],
    ['/a/\\n$1\\\\', 'a', '\n$1\\'],
  ])('replaces by %s', (spec, body, changed) => {
    const action = imported('modify_body', spec).rules[0]?.do[0];
    if (action === undefined || !('changeRequest' in action)) throw new Error('not imported');
    expect(replaced(body, action.changeRequest.replaceBody ?? [], 1000)).toBe(changed);
  });

  it('refuses what JavaScript has not', () => {
    const { rules, skipped } = imported('modify_body', '/(?P<a>b)/c', '/a/\\g<name>', '/a/\\x');
    expect(rules).toEqual([]);
    expect(skipped.map((line) => line.split(': ').at(-1))).toEqual([
      'the regular expression "(?P<a>b)" is not valid in JavaScript',
      'the escape \\g in the replacement has no equivalent',
      'the escape \\x in the replacement has no equivalent',
    ]);
  });

  it('puts the changes before the mappings, which end the list', () => {
    const config = { map_remote: ['|//a.test/|//b.test/'], modify_headers: ['/x-a/b'] };
    expect(mitmproxyRules(config, null)?.rules.map(({ do: [first] }) => Object.keys(first ?? {}))).toEqual([
      ['changeRequest'],
      ['mapTo'],
    ]);
  });
});
