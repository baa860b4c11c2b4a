import { describe, expect, it } from 'vitest';
import { mitmproxyFilter } from '../../../../../electron/rules-file/import/mitmproxy-filter.ts';

describe('mitmproxyFilter', () => {
  it.each([
    // `!` binds most, then `&`, then `|`.
    ['~u a & ~u b | ~u c', '((url:a url:b) OR url:c)'],
    ['~u a | ~u b & ~u c', '(url:a OR (url:b url:c))'],
    ['!~u a & ~u b', 'NOT url:a url:b'],
    ['!~u a | ~u b', '((NOT url:a) OR url:b)'],
    ['!(~u a | ~u b)', 'NOT (url:a OR url:b)'],
    ['!(~u a & ~u b)', 'NOT (url:a url:b)'],
    ['(~u a | ~u b) & ~u c', '(url:a OR url:b) url:c'],
    // Without an operator between them, whole expressions must hold.
    ['~u a ~u b', 'url:a url:b'],
    ['~u a | ~u b ~u c', '(url:a OR url:b) url:c'],
    // The regular expression goes on to the next blank, quote, ~ or parenthesis.
    ['~d a.test|b.test', '(host:a.test OR host:b.test)'],
    ['a&b', 'url:a&b'],
    ['~m "GET|POST"', 'method:GET,POST'],
    ["~u 'a b'", 'url:"a b"'],
  ])('reads %s as %s', (filter, query) => {
    expect(mitmproxyFilter(filter, 'request')).toBe(query);
    expect(mitmproxyFilter(filter, 'response')).toBe(query);
  });

  it.each([
    ['~q', true, false],
    ['~s', false, true],
    ['!~s', true, false],
    ['!~q', false, true],
    ['~q | ~s', true, true],
    ['~q & ~s', false, false],
    ['~s | ~u a', 'url:a', true],
    ['(~q & ~u a) | (~s & ~u b)', 'url:a', 'url:b'],
    ['!(~s & ~u a)', true, 'NOT url:a'],
    ['~all', true, true],
    ['.*', true, true],
    // The response is not there yet.
    ['~c 404', false, 'status:404'],
    ['!~c 404', true, 'NOT status:404'],
    ['~ts json', false, 'type:json'],
    ['~t json', 'header:"content-type: *json"', 'header:"content-type: *json"'],
    ['~t ^text/', 'header:"content-type: text/*"', 'header:"content-type: text/*"'],
  ])('reads %s as %s for requests and %s for responses', (filter, request, response) => {
    expect(mitmproxyFilter(filter, 'request')).toBe(request);
    expect(mitmproxyFilter(filter, 'response')).toBe(response);
  });

  it.each([
    ['', 'empty'],
    ['~u', 'not a mitmproxy filter'],
    ['!', 'not a mitmproxy filter'],
    ['~u a &', 'not a mitmproxy filter'],
    ['(~u a', 'not a mitmproxy filter'],
    ['~u a)', 'not a mitmproxy filter'],
    ['~u "a', 'not a mitmproxy filter'],
    ['~c x', '~c needs a number'],
    ['~m P', 'write whole methods'],
    ['~marked', 'the filter ~marked has no equivalent'],
    [`${'!'.repeat(201)}~q`, 'nested too deeply'],
    ['~u a+', 'has no equivalent'],
    ['~t json$', 'has no equivalent'],
  ])('refuses %j: %s', (filter, reason) => {
    expect(() => mitmproxyFilter(filter, 'request')).toThrow(reason);
  });

  it('refuses the type of the request for responses', () => {
    expect(mitmproxyFilter('~tq json', 'request')).toBe('header:"content-type: *json"');
    expect(() => mitmproxyFilter('~tq json', 'response')).toThrow('limit it to requests with ~q');
  });
});
