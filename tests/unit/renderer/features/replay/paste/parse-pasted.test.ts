import { describe, expect, it } from 'vitest';
import { fetchCall } from '../../../../../../renderer/features/replay/copy-as/javascript-snippets.ts';
import { powershellCommand } from '../../../../../../renderer/features/replay/copy-as/shell-snippets.ts';
import { parsePasted } from '../../../../../../renderer/features/replay/paste/parse-pasted.ts';
import type { ComposedRequest } from '../../../../../../shared/model/replay/composed-request.ts';

function request(text: string): ComposedRequest {
  const parsed = parsePasted(text);
  if (!parsed?.ok) throw new Error(parsed?.problem ?? 'not recognized');
  return parsed.request;
}

/** As Chrome 142 copies a request over HTTP/2 with cookies and a body that is not ASCII. */
const CHROME = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (X11; Linux x86_64) \`"quoted\`""
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "a\`$b", "/", "shop.test")))
$session.Cookies.Add((New-Object System.Net.Cookie("theme", "dark", "/", "shop.test")))
Invoke-WebRequest -UseBasicParsing -Uri "https://shop.test/v1/cart?a=1&b=\`$2" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"authority"="shop.test"
  "method"="POST"
  "path"="/v1/cart?a=1&b=\`$2"
  "scheme"="https"
  "accept"="*/*"
  "sec-ch-ua"="\`"Chromium\`";v=\`"142\`""
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"name\`":\`"caf$([char]233) \
$([char]55357)$([char]56832)\`",$([char]10)\`"n\`":1}"))`;

describe('PowerShell', () => {
  it('is read as Chrome copies it, with its session', () => {
    expect(request(CHROME)).toMatchObject({
      ...{ method: 'POST', url: 'https://shop.test/v1/cart?a=1&b=$2', redirects: true },
      headers: [
        ['accept', '*/*'],
        ['sec-ch-ua', '"Chromium";v="142"'],
        ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) "quoted"'],
        ['Cookie', 'sid=a$b; theme=dark'],
        ['Content-Type', 'application/json'],
      ],
      body: { kind: 'text', text: '{"name":"café 😀",\n"n":1}' },
    });
    expect(request(CHROME.replaceAll('\n', '\r\n'))).toEqual(request(CHROME));
  });

  it('is read as people write it', () => {
    const command = `$h = @{ 'X-A' = 'it''s'; Accept = "a/b" } # fields
$h.Add("X-B", 'two')
$answer = irm shop.test/items -Method put -Headers $h -Body @'
line 1
'line' 2
'@ -TimeoutSec 3 -MaximumRedirection 0 | ConvertTo-Json`;
    expect(request(command)).toMatchObject({
      ...{ method: 'PUT', url: 'http://shop.test/items', redirects: false },
      headers: [
        ['X-A', "it's"],
        ['Accept', 'a/b'],
        ['X-B', 'two'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: { kind: 'text', text: "line 1\n'line' 2" },
    });
    expect(request('Invoke-WebRequest -Uri http://a.test -Body @{ q = "a b" }')).toMatchObject({
      ...{ method: 'GET', url: 'http://a.test?q=a%20b', body: { kind: 'none' }, headers: [] },
    });
  });

  it('reads what Roundtrip copies', () => {
    const headers = { 'X-A': 'it’s $(none)', 'content-type': 'text/plain' };
    const copied = { method: 'POST', url: 'https://a.test/x?y', headers, body: "it's\n`n $x" };
    expect(request(powershellCommand(copied))).toMatchObject({
      ...{ method: 'POST', url: 'https://a.test/x?y', body: { text: "it's\n`n $x" } },
      headers: [
        ['X-A', 'it’s $(none)'],
        ['Content-Type', 'text/plain'],
      ],
    });
  });

  it.each([
    ['Invoke-WebRequest -Method POST', 'has no URL'],
    ['Invoke-WebRequest a.test -Body $body', 'uses $body, which it does not set'],
    ['Invoke-WebRequest "http://a.test/$id"', 'uses $id inside a string'],
    ['Invoke-WebRequest a.test -Body "$(Get-Date)"', 'computes a string'],
    ['Invoke-WebRequest a.test -InFile body.json', '-InFile can’t be read'],
    ['Invoke-WebRequest a.test -Unheard x', 'The option -Unheard can’t be read'],
    ['Invoke-WebRequest a.test -Headers @{ "a"="b"', 'a } is missing'],
    ['Invoke-WebRequest "http://a.test', 'a quotation mark may be missing'],
    ['$x = 1; Invoke-WebRequest a.test; Invoke-WebRequest b.test', 'several requests'],
    ['$p = New-Object System.Random; iwr a.test', 'System.Random'],
    ['$s = @{}; $s.Clear("x"); iwr a.test', '$s.Clear(…) can’t be read'],
  ])('%s is refused: %s', (command, problem) => {
    expect(parsePasted(command)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe('fetch', () => {
  it('is read as browsers copy it', () => {
    const call = `await fetch("https://a.test/x", {
  "headers": { "accept": "*/*", "content-type": "application/json" },
  "referrer": "https://a.test/page", "referrerPolicy": "no-referrer",
  "body": "{\\"a\\":\\")\\"}", "method": "post", "mode": "cors", "credentials": "include"
});`;
    expect(request(call)).toMatchObject({
      ...{ method: 'POST', url: 'https://a.test/x', redirects: true },
      headers: [
        ['accept', '*/*'],
        ['content-type', 'application/json'],
        ['Referer', 'https://a.test/page'],
      ],
      body: { kind: 'text', text: '{"a":")"}' },
    });
    expect(request('fetch("https://a.test/");')).toMatchObject({ method: 'GET', body: { kind: 'none' } });
    expect(request('fetch("https://a.test/", {"body": null, "method": "GET"});')).toMatchObject({
      body: { kind: 'none' },
    });
  });

  it('reads what Roundtrip copies', () => {
    const copied = { method: 'PUT', url: 'https://a.test/', headers: { 'X-A': 'b' }, body: 'x).then(' };
    expect(request(fetchCall(copied))).toMatchObject({
      method: 'PUT',
      headers: [['X-A', 'b']],
      body: { text: 'x).then(' },
    });
  });

  it.each([
    'fetch(url)',
    'fetch("https://a.test", { method: "POST" })',
    'fetch(`https://a.test`)',
    'fetch("a"',
    'fetch()',
  ])('%s would need to run code, and is refused', (call) => {
    expect(parsePasted(call)).toMatchObject({ ok: false, problem: expect.stringContaining('copy it from a browser') });
  });
});

it('recognises nothing else as a command', () => {
  for (const text of ['https://a.test/fetch(', 'fetching', '$100', 'a.test', '$x = 1'])
    expect(parsePasted(text)).toBe(null);
  expect(parsePasted('curl a.test')).toMatchObject({ ok: true });
});
