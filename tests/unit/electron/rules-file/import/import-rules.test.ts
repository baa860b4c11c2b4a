import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRules } from '../../../../../electron/rules-file/import/import-rules.ts';
import { globOfRegex } from '../../../../../electron/rules-file/import/query-words.ts';
import { parseRules } from '../../../../../electron/rules-file/parse-rules.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';
import { summaryNow } from '../../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const buffer = (text: string) => ({ type: 'Buffer', data: [...Buffer.from(text)] });

const HTK = {
  ...{ id: 'root', title: 'HTTP Toolkit Rules', isRoot: true },
  items: [
    {
      ...{ id: '1', type: 'http', title: 'mock', activated: true },
      matchers: [
        { type: 'method', method: 1, uiType: 'POST' },
        { type: 'simple-path', path: 'https://api.test/users' },
      ],
      steps: [
        { type: 'delay', delayMs: 50 },
        { type: 'simple', status: 201, data: buffer('hi'), headers: { 'x-a': 'b', 'content-length': '2' } },
      ],
    },
    {
      ...{ id: 'g', title: 'outage' },
      items: [
        {
          ...{ id: '2', type: 'http', activated: false },
          matchers: [{ type: 'wildcard' }, { type: 'hostname', hostname: 'api.test' }],
          handler: { type: 'reset-connection' },
        },
        {
          ...{ id: '3', type: 'http', activated: true, title: 'by field' },
          matchers: [{ type: 'wildcard' }, { type: 'header', headers: { a: 'b' } }],
          handler: { type: 'timeout' },
        },
      ],
    },
    {
      ...{ id: '4', type: 'http', title: 'forward', activated: true },
      matchers: [{ type: 'regex-path', regexSource: '^https?:\\/\\/old\\.test\\/.*', regexFlags: '' }],
      handler: {
        type: 'passthrough',
        uiType: 'forward-to-host',
        forwarding: { targetHost: 'localhost:3000', updateHostHeader: false },
      },
    },
    {
      ...{ id: '5', type: 'http', title: 'change', activated: true },
      matchers: [{ type: 'wildcard' }],
      steps: [
        {
          ...{ type: 'passthrough', uiType: 'req-res-transformer' },
          transformRequest: { updateHeaders: { 'x-new': '1', 'x-old': null } },
          transformResponse: { replaceStatus: 404, replaceBody: buffer('gone') },
        },
      ],
    },
    {
      id: '6',
      type: 'websocket',
      title: 'socket',
      activated: true,
      matchers: [{ type: 'wildcard' }],
      handler: { type: 'ws-passthrough' },
    },
    {
      id: '7',
      type: 'http',
      title: 'default',
      activated: true,
      matchers: [{ type: 'default-wildcard' }],
      steps: [{ type: 'passthrough' }],
    },
  ],
};

describe('importRules', () => {
  it('imports the rules of HTTP Toolkit, and names those without an equivalent', async () => {
    const { rules, skipped } = await importRules('my.htkrules', JSON.stringify(HTK), null);
    expect(rules).toMatchObject([
      {
        name: 'mock',
        do: [{ delay: { ms: 50 } }, { answer: { status: 201, headers: [['x-a', 'b']], bodyBase64: 'aGk=' } }],
      },
      { name: 'outage, rule 1', group: 'outage', enabled: false, do: [{ fail: { how: 'reset' } }] },
      { name: 'by field', when: 'header:"a: b"', do: [{ fail: { how: 'black-hole' } }] },
      {
        name: 'forward',
        when: 'url:*://old.test/*',
        do: [{ mapTo: { host: 'localhost', port: 3000, keepHost: true } }],
      },
      {
        name: 'change',
        do: [
          { changeRequest: { setHeaders: [['x-new', '1']], removeHeaders: ['x-old'] } },
          { changeResponse: { status: 404, body: 'gone' } },
        ],
      },
    ]);
    expect(skipped).toEqual([
      'by field: its matcher header also fits longer values that contain the text, and upper and lower case alike',
      'socket: rules for websocket have no equivalent',
      'default: it passes requests on unchanged, as Roundtrip does without a rule',
    ]);
    expect(parseRules(JSON.stringify({ version: 1, rules }))).toMatchObject({ ok: true });
  });

  it('matches the same URL as HTTP Toolkit, and no other', async () => {
    const { rules } = await importRules('my.htkrules', JSON.stringify(HTK), null);
    const filter = compileFilter(rules[0]?.when ?? '');
    const fits = (scheme: 'http' | 'https', authority: string, place: string) =>
      filter.ok && filter.matches({ ...summaryNow(exampleExchange()), method: 'POST', scheme, authority, path: place });
    expect(fits('https', 'api.test', '/users')).toBe(true);
    expect(fits('https', 'api.test', '/users?page=1')).toBe(true);
    expect(fits('http', 'api.test', '/users')).toBe(false);
    expect(fits('https', 'api.test', '/users/1')).toBe(false);
    expect(fits('https', 'an-api.test', '/users')).toBe(false);
  });

  it('accepts four options of mitmproxy', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'a.json'), '{}');
    fs.mkdirSync(path.join(folder, 'static'));
    const config = `
listen_port: 8080
map_local:
  - "|//example.com/a.json|a.json"
  - "|example.com/assets|static"
  - "|example.com/none|none"
map_remote:
  - "|https://api.test/v1/|http://localhost:3000/v2/"
  - "|(a|b)|c"
modify_headers:
  - "/~q & ~d api.test/x-added/yes"
  - "/x-gone/"
  - "/~hq cookie/x-a/b"
modify_body:
  - ":~s ~t json:(cat)s:\\\\1 dogs"
  - "/~b x/a/b"
  - "/a/@file"
`;
    const { rules, skipped } = await importRules('config.yaml', config, folder);
    expect(rules.map(({ when, do: actions }) => [when, actions])).toMatchObject([
      ['host:api.test', [{ changeRequest: { setHeaders: [['x-added', 'yes']] } }]],
      ['', [{ changeRequest: { removeHeaders: ['x-gone'] } }, { changeResponse: { removeHeaders: ['x-gone'] } }]],
      [
        'header:"content-type: *json"',
        [{ changeResponse: { replaceBody: [{ find: '(cat)s', with: '$01 dogs', regex: true }] } }],
      ],
      ['url://example.com/a.json', [{ answer: { file: path.join(folder, 'a.json') } }]],
      [
        '(url:http://example.com/assets* OR url:https://example.com/assets*)',
        [{ answer: { folder: path.join(folder, 'static'), stripPrefix: '/assets' } }],
      ],
      [
        'url:https://api.test/v1/*',
        [
          {
            mapTo: {
              ...{ scheme: 'http', host: 'localhost', port: 3000 },
              replacePath: [{ find: '^/v1/', with: '/v2/', regex: true }],
            },
          },
        ],
      ],
    ]);
    expect(skipped.map((line) => line.split(': ').at(-1))).toEqual([
      'the filter ~hq has no equivalent',
      'the filter ~b has no equivalent',
      'a replacement from a file has no equivalent',
      'it applies to the host example.com only, not to other URLs that contain its text',
      `${path.join(folder, 'none')} does not exist`,
      'a URL with a pattern has no equivalent',
    ]);
    expect(parseRules(JSON.stringify({ version: 1, rules }))).toMatchObject({ ok: true });
  });

  it.each([
    ['text', 'just text'],
    ['a list', '[]'],
    ['other options', 'listen_port: 1'],
    ['broken YAML', '{ "a": '],
  ])('refuses %s', async (_what, text) => {
    await expect(importRules('file', text, null)).rejects.toThrow(/can't be imported/);
  });

  it.each([
    ['a.htkrules', '{\n  "items": [\n    "hunter2" "hunter3"\n  ]\n}', 'line 3, column 15: A comma is missing here.'],
    ['a.json', '{ "token": hunter2 }', 'line 1, column 12: This is not a JSON value'],
    ['a.txt', '{ "token": "hunter2', 'line 1, column 12: This text does not end on its line'],
    ['a.json', ' \n', 'it is empty'],
    ['a.yaml', 'a: hunter2\n b: hunter3', 'it is neither JSON nor YAML (line 1, column'],
    ['a.yaml', 'a: *hunter2', 'it is neither JSON nor YAML.'],
  ])('says where %s is faulty, and quotes nothing of it: %j', async (name, text, reason) => {
    const refusal = await importRules(name, text, null).catch(String);
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain('hunter');
  });

  it('accepts a file that begins with a byte order mark', async () => {
    const { rules } = await importRules('my.htkrules', `\ufeff${JSON.stringify(HTK)}`, null);
    expect(rules).toHaveLength(5);
  });

  it.each([
    ['a\\.test', 'a.test'],
    ['^a.*b$', 'a*b'],
    ['^https?://a/', '*://a/*'],
    ['a.*b', '*a*b*'],
  ])('reads the regular expression %s as %s', (regex, glob) => {
    expect(globOfRegex(regex)).toBe(glob);
  });

  it.each(['a+', '[ab]', '(a|b)', '\\d', '^a$', 'a\\*'])('refuses the regular expression %s', (regex) => {
    expect(() => globOfRegex(regex)).toThrow('has no equivalent');
  });
});
