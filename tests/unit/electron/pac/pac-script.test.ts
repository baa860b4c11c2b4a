import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PacScript } from '../../../../electron/pac/pac-script.ts';

const WASM = fs.readFileSync(path.resolve('node_modules/quickjs-wasi/quickjs.wasm'));

function load(text: string, addresses: Record<string, string> = {}, asked: string[] = []): Promise<PacScript> {
  return PacScript.load(WASM, text, {
    ownAddress: () => '10.1.2.3',
    lookUp: async (name) => {
      asked.push(name);
      const address = addresses[name];
      if (address === undefined) throw new Error('ENOTFOUND');
      return address;
    },
  });
}

const decide = (body: string) => `// decides\nfunction FindProxyForURL(url, host) {\n${body}\n}`;

describe('a PAC script', () => {
  it('decides by names, patterns and networks, looking names up only where it asks', async () => {
    const asked: string[] = [];
    const body = `
      if (isPlainHostName(host) || dnsDomainIs(host, '.local.test')) return 'DIRECT';
      if (shExpMatch(url, 'https://*.cdn.test/*')) return 'PROXY cdn:1';
      if (isInNet(host, '10.0.0.0', '255.0.0.0')) return 'PROXY inside:2';
      if (isInNet(dnsResolve('gateway.test'), myIpAddress(), '255.255.0.0')) return 'PROXY near:3';
      return isResolvable(host) ? 'PROXY out:4' : 'DIRECT';`;
    const script = await load(
      decide(body),
      { 'in.test': '10.9.9.9', 'far.test': '192.0.2.1', 'gateway.test': '10.2.0.1' },
      asked,
    );
    expect(await script.find('https://intranet/', 'intranet')).toBe('DIRECT');
    expect(await script.find('https://a.local.test/', 'a.local.test')).toBe('DIRECT');
    expect(await script.find('https://x.cdn.test/', 'x.cdn.test')).toBe('PROXY cdn:1');
    expect(asked).toEqual([]);
    expect(await script.find('https://in.test/', 'in.test')).toBe('PROXY inside:2');
    expect(await script.find('https://far.test/', 'far.test')).toBe('PROXY out:4');
    expect(await script.find('https://gone.test/', 'gone.test')).toBe('DIRECT');
    // A run with a name that is not resolved yet may overtake others, as in Chromium.
    expect(new Set(asked)).toEqual(new Set(['in.test', 'far.test', 'gateway.test', 'gone.test']));
  });

  it('knows days and times', async () => {
    const script = await load(
      decide(
        "return weekdayRange('SUN', 'SAT') && dateRange('JAN', 'DEC') && timeRange(0, 23) ? 'PROXY a:1' : 'DIRECT';",
      ),
    );
    expect(await script.find('http://a.test/', 'a.test')).toBe('PROXY a:1');
  });

  it('has no access to the machine', async () => {
    const names = ['process', 'require', 'fetch', 'globalThis.Buffer', 'WebAssembly', 'import.meta'];
    const body = `return [${names.slice(0, 5).map((name) => `typeof ${name}`)}].join(' ');`;
    expect(await (await load(decide(body))).find('http://a/', 'a')).toBe(
      'undefined undefined undefined undefined undefined',
    );
  });

  it.each([
    ['an error while it decides', decide('  var x = 1;\n  nothing(x);'), 'line 4: nothing is not defined'],
    ['a name that is none', decide('  var x = 1;\n\n  if (nothing) return 1;'), 'line 5: nothing is not defined'],
    [
      'a name in a longer condition',
      decide('if (\nhost == "b" ||\nnothing)\nreturn 1;'),
      'line 5: nothing is not defined',
    ],
    ['a property of nothing', decide('  var x;\n\n  return x.y;'), 'line 5: cannot read property'],
    ['a variable before its time', decide('  return z;\n let z = 1;'), 'line 3: z is not initialized'],
    ['an error at once', 'var a = 1;\nnothing();', 'line 2: nothing is not defined'],
    ['a script that is none', 'function FindProxyForURL( {\n', 'line'],
    ['no function', 'var a = 1;', 'no function FindProxyForURL'],
    ['an answer that is no text', decide('return 7;'), 'a number'],
    ['more memory than it may have', decide("return 'x'.repeat(64 * 1024 * 1024);"), 'memory'],
  ])('reports what is wrong with it: %s', async (_name, text, part) => {
    const found = load(text).then((script) => script.find('http://a/', 'a'));
    await expect(found).rejects.toMatchObject({ code: 'proxy.pac-failed', message: expect.stringContaining(part) });
  });
});
