import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../../electron/rules-file/parse-rules.ts';
import { ACTIONS } from '../../../../shared/model/rule/actions.ts';

/** The faults of a text, each as `line:column what`. */
function faultsOf(text: string): string[] {
  const parsed = parseRules(text);
  return parsed.ok ? [] : parsed.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** The faults of a file with one rule on line 3, given as its text. */
function faultsOfRule(rule: string): string[] {
  return faultsOf(`{ "version": 1,\n  "rules": [\n${rule}\n] }`);
}

/** The faults of a file with one action on line 3. */
function faultsOfAction(action: string, when = ''): string[] {
  return faultsOfRule(`{ "name": "a", "when": ${JSON.stringify(when)}, "do": [\n${action}\n] }`);
}

const MARK = '"do": [ { "mark": { "colour": "red" } } ]';

describe('parseRules', () => {
  it('reads a list and fills in the defaults', () => {
    const parsed = parseRules(`\ufeff{ "version": 1, "rules": [ { "name": "a", ${MARK} } ] }`);
    const rule = { name: 'a', enabled: true, when: '', do: [{ mark: { colour: 'red' } }] };
    expect(parsed).toEqual({ ok: true, rules: { version: 1, groupsOff: [], rules: [rule] } });
  });

  it.each([
    ['', '1:1 The file is empty: write {"version": 1, "rules": []}.'],
    [
      '{ "version": 1,\n  "rules": [],\n}',
      '3:1 A field name in double quotes is missing here. If a comma stands before a }, remove the comma.',
    ],
    ['{ "version": 1\r\n  "rules": [] }', '2:3 A comma is missing here.'],
    ['{ "version": 1,\r  "rules" [] }', '2:11 A colon is missing here: write "name": value.'],
    ['{ "version": 1, // one\n  "rules": [] }', '1:17 JSON has no comments: remove this one.'],
    [
      '{ "version": one }',
      '1:14 This is not a JSON value: use text in double quotes, a number, true, false, null, {...} or [...].',
    ],
    ['{ "version": 1, "rules": [] } true', '1:31 The rules end before this: remove what follows them.'],
    ['{ "version": 1, "rules": [', '1:27 A ] is missing here.'],
    ['{ "version": 1, "rules": [] ', '1:29 A } is missing here.'],
    ['{ "version": 1,\n "$schema": "a\n" }', '2:13 This text does not end on its line: add a double quote.'],
    ['{ "$schema": "\\d" }', '1:14 This escape is unknown: write a backslash in JSON as \\\\.'],
    ['{ "$schema": "\\u00" }', '1:14 This escape is incomplete: \\u needs four hexadecimal digits.'],
    [
      '{ "$schema": "a\tb" }',
      '1:14 A control character is not allowed in JSON text: write a tab as \\t and a new line as \\n.',
    ],
  ])('reports the first syntax error of %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['[]', '1:1 The file must be an object: {...}, not a list.'],
    ['{ "rules": [] }', '1:1 The field "version" is missing: add it.'],
    ['{ "version": 2, "rules": [] }', '1:14 "version" must be 1, not 2.'],
    ['{ "version": 1, "rules": {} }', '1:26 "rules" must be a list: [...], not an object.'],
    ['{ "version": 1, "rules": [], "rules": [] }', '1:30 The field "rules" is here twice: remove one of them.'],
    ['{ "version": 1, "rules": [7] }', '1:27 This must be an object: {...}, not 7.'],
    [
      '{ "version": 1, "rules": [], "groups": [] }',
      '1:30 The field "groups" is unknown here. Valid here: $schema, version, groupsOff, rules.',
    ],
  ])('reports what is wrong with the list %j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['{ "name": "a" }', '3:1 The field "do" is missing: add it.'],
    ['{ "name": "", "do": [ { "mark": {} } ] }', '3:11 "name" must not be empty.'],
    ['{ "name": "a", "do": [] }', '3:22 "do" must not be empty: add an item.'],
    [`{ "name": "a", "enabled": "yes", ${MARK} }`, '3:27 "enabled" must be true or false, not "yes".'],
    [`{ "name": "a", "limit": 0, ${MARK} }`, '3:25 "limit" must be at least 1, not 0.'],
    [`{ "name": "a", "limit": 1.5, ${MARK} }`, '3:25 "limit" must be a whole number, not 1.5.'],
    [`{ "name": "a", "wehn": "", ${MARK} }`, '3:16 The field "wehn" is unknown here. Did you mean "when"?'],
    ['{ "name": "a", "do": [ {} ] }', `3:24 An action needs exactly one of ${Object.keys(ACTIONS).join(', ')}.`],
  ])('reports what is wrong with the rule %j', (rule, fault) => {
    expect(faultsOfRule(rule)).toEqual([fault]);
  });

  it.each([
    ['{ "answer": { "status": 99 } }', '4:25 "status" must be at least 200, not 99.'],
    ['{ "answer": { "header": [] } }', '4:15 The field "header" is unknown here. Did you mean "headers"?'],
    ['{ "answer": { "headers": [["a"]] } }', '4:27 This must be a pair of texts: ["name", "value"].'],
    ['{ "answer": { "headers": [["a", "b", "c"]] } }', '4:27 This must be a pair of texts: ["name", "value"].'],
    ['{ "answer": { "headers": [["a b", "c"]] } }', '4:28 "a b" is not a field name (RFC 9110, section 5.1).'],
    [
      '{ "changeResponse": { "setTrailers": [["host", "c"]] } }',
      '4:40 "host" must not be a trailer (RFC 9110, section 6.5.1).',
    ],
    ['{ "answer": { "headers": "authorization: secret" } }', '4:26 "headers" must be a list: [...], not a text.'],
    ['{ "answer": { "headers": [["a", "c\\n"]] } }', '4:33 This text has characters that a field value must not have.'],
    [
      '{ "answer": { "bodyBase64": "?" } }',
      '4:29 "bodyBase64" must be base64: letters, digits, + and /, padded with = to a multiple of four.',
    ],
    ['{ "answer": { "body": "a",\n "file": "b" } }', '5:2 "body" and "file" exclude each other: keep one of them.'],
    [
      '{ "changeRequest": { "body": "a", "bodyFile": "b" } }',
      '4:35 "body" and "bodyFile" exclude each other: keep one of them.',
    ],
    ['{ "mapTo": { "host": "a\\r\\nX: y" } }', '4:22 "a\\r\\nX: y" is not a host name or an IP address in ASCII.'],
    ['{ "delay": { "ms": 3600001 } }', '4:20 "ms" must be at most 3600000, not 3600001.'],
    ['{ "delay": { "ms": 10, "upTo": 5 } }', '4:32 "upTo" must be at least "ms", which is 10.'],
    [
      '{ "fail": { "how": "explode" } }',
      '4:20 "how" must be one of "refuse", "reset", "black-hole", "reset-in-response", "truncate", "wrong-length", ' +
        '"rst-stream", "goaway", not "explode".',
    ],
    ['{ "mark": [] }', '4:11 "mark" must be an object: {...}, not a list.'],
    ['{ "mark": { "color": "red" } }', '4:13 The field "color" is unknown here. Did you mean "colour"?'],
    [
      '{ "changeRequest": { "patchJson": [ { "op": "ad", "path": "/a" } ] } }',
      '4:45 "op" must be one of "add", "replace", "test", "remove", "move", "copy", not "ad".',
    ],
    [
      '{ "changeRequest": { "patchJson": [ { "op": "remove", "path": "a/b" } ] } }',
      '4:63 "a/b" is not a JSON pointer (RFC 6901): write it like /items/0/name, with ~1 for a / and ~0 for a ~ in ' +
        'a name.',
    ],
    [
      '{ "changeRequest": { "patchJson": [ { "op": "copy", "path": "/a", "from": "/~2" } ] } }',
      '4:75 "/~2" is not a JSON pointer (RFC 6901): write it like /items/0/name, with ~1 for a / and ~0 for a ~ in ' +
        'a name.',
    ],
    [
      '{ "changeResponse": { "replaceBody": [ { "find": "(", "with": "", "regex": true } ] } }',
      '4:50 "(" is not a valid regular expression: Unterminated group. To find it as text, remove "regex".',
    ],
    [
      '{ "changeRequest": { "replacePath": [ { "find": "[", "with": "", "regex": true } ] } }',
      '4:49 "[" is not a valid regular expression: Unterminated character class. To find it as text, remove "regex".',
    ],
    [
      '{ "mapTo": { "replacePath": [ { "find": "a**", "with": "", "regex": true } ] } }',
      '4:41 "a**" is not a valid regular expression: Nothing to repeat. To find it as text, remove "regex".',
    ],
  ])('reports what is wrong with the action %j', (action, fault) => {
    expect(faultsOfAction(action)).toEqual([fault]);
  });

  it.each(['[', '{"a":'])('refuses endlessly nested values, made of %s', (opening) => {
    const [fault, ...others] = faultsOfAction(`{ "changeRequest": { "mergeJson": ${opening.repeat(200_000)}`);
    expect(fault).toMatch(/^4:\d+ This is nested too deeply to be a rule\.$/);
    expect(others).toEqual([]);
    expect(faultsOfAction(`{ "answer": { "body": ${JSON.stringify(opening.repeat(1000))} } }`)).toEqual([]);
  });

  it('accepts text that is not a valid regular expression', () => {
    expect(faultsOfAction('{ "changeResponse": { "replaceBody": [ { "find": "(", "with": "" } ] } }')).toEqual([]);
  });

  it('gives the place of a faulty query inside its text, past escapes', () => {
    const query = String.raw`"when": "path:\"\u0061\" stauts:404"`;
    expect(faultsOfRule(`{ "name": "a", ${query}, ${MARK} }`)).toEqual([
      expect.stringMatching(/^3:41 There is no field stauts\./),
    ]);
    expect(faultsOfRule(`{ "name": "a", "when": "(path:/a", ${MARK} }`)).toEqual([
      '3:25 This "(" is never closed: add a ")" at the end.',
    ]);
  });

  it('refuses a query about the response where the rule acts on the request', () => {
    expect(faultsOfAction('{ "answer": {} }', 'path:/a (status:404 OR -type:json)')).toEqual([
      '3:34 status:404 is known only once the response begins, and this rule acts on the request: it can never ' +
        'match. Remove it, or act on the response: changeResponse, or delay with "before": "response".',
      '3:49 type:json is known only once the response begins, and this rule acts on the request: its negation ' +
        'always matches. Remove it, or act on the response: changeResponse, or delay with "before": "response".',
    ]);
    expect(faultsOfAction('{ "changeResponse": {} }', 'is:failed')).toEqual([
      '3:25 is:failed is known only at the end of the exchange, and this rule acts before that: it can never ' +
        'match. Remove it: only mark is applied that late.',
    ]);
  });

  it.each([
    ['{ "answer": {} }', 'is:open,failed method:GET'],
    ['{ "changeResponse": {} }', 'status:404 is:redirect'],
    ['{ "delay": { "ms": 1, "before": "response" } }', 'type:json'],
    ['{ "fail": { "how": "truncate" } }', 'ttfb:>1s'],
    ['{ "mark": {} }', 'total:>1s is:failed'],
    ['{ "delay": { "ms": 1 } }, { "changeResponse": {} }', 'status:404'],
  ])('takes %s with %s', (action, when) => {
    expect(faultsOfAction(action, when)).toEqual([]);
  });

  it('refuses a second rule of one name, and groups that no rule belongs to', () => {
    const rules = `[\n{ "name": "a", "group": "g", ${MARK} },\n{ "name": "a", ${MARK} } ]`;
    expect(faultsOf(`{ "version": 1, "rules": ${rules} }`)).toEqual([
      '3:11 Rule 1 has the name "a" too: give each rule its own.',
    ]);
    const one = `[ { "name": "a", "group": "g", ${MARK} } ]`;
    expect(faultsOf(`{ "version": 1, "groupsOff": ["g", "h"], "rules": ${one} }`)).toEqual([
      '1:36 No rule belongs to the group "h". The groups are g.',
    ]);
  });

  it('reports the faults of all rules, in the order of the text', () => {
    const broken = `{ "name": 5, ${MARK} }`;
    const query = `{ "name": "b", "when": "is:mad", ${MARK} }`;
    const faults = faultsOf(`{ "version": 1, "rules": [\n${query},\n${broken},\n${query} ], "nonsense": 1 }`);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['2:25', '3:11', '4:11', '4:25', '4:81']);
  });

  it.each(['header:x-debug', 'cookie:session=*', '-header:"age: 0" path:/a'])('accepts the query %s', (when) => {
    expect(faultsOfAction('{ "answer": {} }', when)).toEqual([]);
  });

  it.each(['body:token', 'message:ping'])('refuses the query %s, and names what a rule may ask for', (when) => {
    expect(faultsOfAction('{ "answer": {} }', when)).toEqual([
      expect.stringMatching(/^3:25 .*rules support only header: and cookie: of these/),
    ]);
  });
});
