import { describe, expect, it } from 'vitest';
import { looksLikeCurl, parseCurl } from '../../../../../../renderer/features/replay/curl/parse-curl.ts';
import type { ComposedRequest } from '../../../../../../shared/model/replay/composed-request.ts';

function request(command: string): ComposedRequest {
  const parsed = parseCurl(command);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.request;
}

describe('a cURL command', () => {
  it('is read as bash runs it', () => {
    const command = `curl 'https://a.test/x?y=1' \\
  -X PUT -H 'accept: */*' -H "X-Quote: \\"a\\" \\$b" -H $'x-ansi: caf\\u00e9\\'s\\x21' \\
  --data-raw '{"it'\\''s":1}' --compressed -sSL --http2`;
    expect(request(command)).toMatchObject({
      ...{ method: 'PUT', url: 'https://a.test/x?y=1', protocol: 'h2', redirects: true },
      headers: [
        ['accept', '*/*'],
        ['X-Quote', '"a" $b'],
        ['x-ansi', "café's!"],
        ['Accept-Encoding', 'deflate, gzip, br, zstd'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: { kind: 'text', text: '{"it\'s":1}' },
    });
  });

  it.each([
    [String.raw`\u00e9 \ud83d\ude00 \U1F600 \U0001f600`, 'é 😀 😀 😀'],
    [String.raw`\xc3\xa9 \303\251 \xe9 \x41\101`, 'é é é AA'],
    [String.raw`\cA \c? \c\\ \E\e`, '\x01 \x7f \x1c \x1b\x1b'],
    [String.raw`\'\"\?\\ \t`, '\'"?\\ \t'],
    [String.raw`\z \N \UFFFFFFFF`, String.raw`\z \N \UFFFFFFFF`],
  ])("is read with bash's $'%s'", (quoted, text) => {
    expect(request(`curl a.test -d $'${quoted}'`)).toMatchObject({ body: { text } });
  });

  it('is read as cmd runs it, as browsers copy it', () => {
    const command = `curl ^"https://a.test/x?a=1^&b=2^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\\^"tea^\\^":^\\^"50^%^\\^"^}^"`;
    expect(request(command)).toMatchObject({
      ...{ method: 'POST', url: 'https://a.test/x?a=1&b=2', headers: [['content-type', 'application/json']] },
      body: { kind: 'text', text: '{"tea":"50%"}' },
    });
  });

  it('for cmd keeps a backslash before the end of a value', () => {
    const command = 'curl ^"https://a.test/^" ^\n  -H ^"x-path: C:^\\^\\^" ^\n  -H ^"x-two: 2^"';
    expect(request(command).headers).toEqual([
      ['x-path', 'C:\\'],
      ['x-two', '2'],
    ]);
  });

  it('for bash keeps a caret before a quotation mark', () => {
    expect(request(`curl a.test --data-raw '{"pattern":"^"}'`)).toMatchObject({
      body: { kind: 'text', text: '{"pattern":"^"}' },
    });
  });

  it('is read as PowerShell runs it', () => {
    const command = "curl.exe 'https://a.test/' `\n  -H 'X-One: it''s' `\n  -d \"a`n`\"b`\"\"";
    expect(request(command)).toMatchObject({
      headers: [
        ['X-One', "it's"],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: { kind: 'text', text: 'a\n"b"' },
    });
  });

  // What curl 7.88 sent for each.
  it.each([
    // Chrome hides brackets from curl like this.
    [String.raw`curl 'https://a.test/?a\[0\]=1&b=\{x\}&c=\d'`, String.raw`https://a.test/?a[0]=1&b={x}&c=\d`],
    [String.raw`curl -g 'https://a.test/?a\[0\]=1'`, String.raw`https://a.test/?a\[0\]=1`],
    ["curl 'a.test/?' ", 'http://a.test/?'],
    ["curl 'a.test/a?x#y?z' -G -d c=d", 'http://a.test/a?x&c=d'],
    ["curl 'a.test/a?' -G -d c=d", 'http://a.test/a?c=d'],
    ["curl 'a.test/a?b&' -G -d c=d", 'http://a.test/a?b&c=d'],
    ["curl a.test/a?x=1 --url-query 'a=b c&' --url-query +d=%20", 'http://a.test/a?x=1&a=b+c%26&d=%20'],
    ['curl a.test # the first', 'http://a.test'],
    ['$ curl a.test', 'http://a.test'],
  ])('%s has its URL', (command, url) => {
    expect(request(command).url).toBe(url);
  });

  it.each([
    ['curl http://user:p%40ss@a.test/', [['Authorization', 'Basic dXNlcjpwQHNz']]],
    ['curl http://user:pass@a.test/ -H "authorization: x"', [['authorization', 'x']]],
    ["curl a.test -d x -H 'content-type;'", [['content-type', '']]],
    ["curl a.test -A '' -e ''", []],
    ["curl a.test -e 'http://b.test/;auto'", [['Referer', 'http://b.test/']]],
    [
      "curl a.test -G --json '{}'",
      [
        ['Accept', 'application/json'],
        ['Content-Type', 'application/json'],
      ],
    ],
  ])('%s has its fields', (command, headers) => {
    expect(request(command).headers).toEqual(headers);
  });

  it('sends what its options mean', () => {
    expect(request('curl a.test -I')).toMatchObject({ method: 'HEAD', url: 'http://a.test' });
    expect(request('curl a.test -G -d a=1 --data-urlencode "b=c d"')).toMatchObject({
      ...{ method: 'GET', url: 'http://a.test?a=1&b=c+d', body: { kind: 'none' } },
    });
    expect(
      request('curl --json \'{"a":1}\' a.test -u me:pass -b "a=1" -A agent -HX-Empty\\; -H Accept:'),
    ).toMatchObject({
      method: 'POST',
      headers: [
        ['X-Empty', ''],
        ['User-Agent', 'agent'],
        ['Cookie', 'a=1'],
        ['Authorization', 'Basic bWU6cGFzcw=='],
        ['Content-Type', 'application/json'],
      ],
    });
    expect(request('curl -XDELETE -o out --max-time 3 https://a.test/ -k')).toMatchObject({ method: 'DELETE' });
  });

  it('is refused with the reason if it cannot be read completely', () => {
    const problem = (command: string) => parseCurl(command);
    expect(problem('wget https://a.test')).toMatchObject({ ok: false, problem: expect.stringContaining('curl') });
    expect(problem('curl -s')).toMatchObject({ problem: 'The command has no URL.' });
    expect(problem('curl a.test -d @body.json')).toMatchObject({ problem: expect.stringContaining('file body.json') });
    expect([' curl x', '$ curl x', 'https://curl.se/'].map(looksLikeCurl)).toEqual([true, true, false]);
  });

  it('continues after a backslash with blanks or a carriage return, and ends at a pipe or the next command', () => {
    const command = "curl https://a.test \\ \r\n  -H 'X-One: 1' \\\t\n  -d a=1 \\\r\n  -sSLk --compressed | jq .";
    expect(request(command)).toMatchObject({
      ...{ method: 'POST', url: 'https://a.test', redirects: true, body: { text: 'a=1' } },
      headers: [['X-One', '1'], ['Accept-Encoding', 'deflate, gzip, br, zstd'], expect.anything()],
    });
    for (const end of ['&& echo', '; ls', '> out', '2>/dev/null', '|| true'])
      expect(request(`curl https://a.test -d a ${end}`)).toMatchObject({ url: 'https://a.test', body: { text: 'a' } });
  });

  it('keeps every cookie, a range, a token and a login without a password', () => {
    expect(request('curl a.test -b a=1 --cookie "b=2" -r 0-9 --oauth2-bearer tok').headers).toEqual([
      ['Cookie', 'a=1; b=2'],
      ['Authorization', 'Bearer tok'],
      ['Range', 'bytes=0-9'],
    ]);
    expect(request('curl a.test -u me').headers).toEqual([['Authorization', 'Basic bWU6']]);
    expect(request(`curl a.test --data-urlencode "a=it's (1)!"`)).toMatchObject({
      body: { text: 'a=it%27s+%281%29%21' },
    });
  });

  it('takes over a form, whose files are read as it is sent', () => {
    const command = `curl a.test -F 'name= J. D. ' -F 'photo=@"/a b/cat.png"' \\
      -F 'cv=@cv.txt;type=text/html; charset=x;filename="c\\"v"' \\
      -F 'raw=<notes.md' -F '"q"="x;y " ;type=text/plain' --form-string 'lit=@x;type=y'`;
    expect(request(command)).toMatchObject({
      ...{ method: 'POST', url: 'http://a.test', headers: [] },
      body: {
        kind: 'form',
        parts: [
          { kind: 'text', name: 'name', text: 'J. D.', type: null },
          { kind: 'file', name: 'photo', path: '/a b/cat.png', fileName: 'cat.png', type: 'image/png' },
          { kind: 'file', name: 'cv', path: 'cv.txt', fileName: 'c"v', type: 'text/html; charset=x' },
          { kind: 'file', name: 'raw', path: 'notes.md', fileName: null, type: null },
          { kind: 'text', name: '"q"', text: 'x;y ', type: 'text/plain' },
          { kind: 'text', name: 'lit', text: '@x;type=y', type: null },
        ],
      },
    });
  });

  it.each([
    ['https://a.test/dir/', 'https://a.test/dir/b%20c.bin'],
    ['https://a.test', 'https://a.test/b%20c.bin'],
    ['https://a.test/x?y=/', 'https://a.test/x?y=/'],
  ])('uploads a file to %s, under its name in a folder', (url, target) => {
    const uploaded = request(`curl -T "dir/b c.bin" ${url} -H 'X-One: 1'`);
    expect(uploaded).toMatchObject({ method: 'PUT', url: target, headers: [['X-One', '1']] });
    expect(uploaded.body).toEqual({ kind: 'file', path: 'dir/b c.bin' });
  });

  it.each([
    ['--data-binary', 'application/x-www-form-urlencoded'],
    ['--json', 'application/json'],
  ])('sends the file of %s', (option, type) => {
    const sent = request(`curl a.test ${option} @b.json`);
    expect(sent).toMatchObject({ method: 'POST', body: { kind: 'file', path: 'b.json' } });
    expect(sent.headers).toContainEqual(['Content-Type', type]);
  });

  it.each([
    ['--digest', 'curl --digest -u a:b a.test', 'The option --digest can’t be read: remove it.'],
    ['--digest', 'curl a.test --digest -u a:b', 'The option --digest can’t be read: remove it.'],
    ['a file in the query', 'curl a.test --url-query a@f', 'The command reads the file f: paste its content.'],
    ['--aws-sigv4', 'curl a.test --aws-sigv4 aws:amz', 'The option --aws-sigv4 can’t be read: remove it.'],
    ['one of several letters', 'curl -sn a.test', 'The option -n can’t be read: remove it.'],
    ['a second URL', 'curl a.test b.test', 'The command has 2 URLs: paste one.'],
    ['--next', 'curl a.test --next b.test', 'The option --next can’t be read: remove it.'],
    ['a file of fields', 'curl a.test -H @fields', 'The command reads the file fields: paste its content.'],
    ['a file of cookies', 'curl a.test -b jar.txt', 'The command reads the file jar.txt: paste its content.'],
    ['an encoded file', 'curl a.test --data-urlencode n@f', expect.stringContaining('reads the file f')],
    ['a field without a value', 'curl a.test -F a', 'The form field a has no value: write name=value.'],
    ['a form in a form', 'curl a.test -F "=(;type=multipart/mixed"', expect.stringContaining('form within a form')],
    ['a form from standard input', 'curl a.test -F a=@-', expect.stringContaining('standard input')],
    ['text with a file name', 'curl a.test -F "a=b;filename=c"', expect.stringContaining('text with a file name')],
    ['several files of one field', 'curl a.test -F a=@b,c', 'The field a has several files: give each its own -F.'],
    ['fields of a part', 'curl a.test -F "a=b;headers=@h"', expect.stringContaining('headers=')],
    ['a form and data', 'curl a.test -F a=b -d c', expect.stringContaining('at once')],
    ['two uploads', 'curl a.test -T b -T c', 'The command uploads 2 files: paste one.'],
    ['an upload of standard input', 'curl a.test -T -', 'The command uploads its standard input: name a file.'],
    ['a file of data', 'curl a.test -d @f', expect.stringContaining('with --data-binary')],
    ['a file beside data', 'curl a.test -d a --data-binary @f', expect.stringContaining('reads the file f')],
    ['a file in the URL', 'curl -G a.test --data-binary @f', expect.stringContaining('into its URL')],
  ])('names what it cannot take over: %s', (_what, command, problem) => {
    expect(parseCurl(command)).toEqual({ ok: false, problem });
  });
});
