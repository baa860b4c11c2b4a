import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { snippetRequest } from '../../../../../../renderer/features/replay/copy-as/copy-as.ts';
import { fetchCall, nodeProgram } from '../../../../../../renderer/features/replay/copy-as/javascript-snippets.ts';
import { httpieCommand, powershellCommand } from '../../../../../../renderer/features/replay/copy-as/shell-snippets.ts';
import { snippet } from '../../../../../../renderer/features/replay/copy-as/snippet.ts';
import type { SnippetRequest } from '../../../../../../renderer/features/replay/copy-as/snippet-request.ts';
import { websocatCommand } from '../../../../../../shared/format/commands/websocat.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const HOSTILE = "'\"`$(id) \\ \\' \u2019;\n$x";

function request(body: string | null): SnippetRequest {
  const headers = ['Host', 'api.test', 'X-One', '1', 'x-one', '2', 'X-Bad', HOSTILE.replace('\n', ''), 'a`b', 'c'];
  const of = { method: 'POST', path: "/x?a='$(id)`", headers };
  const found = snippetRequest(exampleExchange({ request: of }), body);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('a request as a program', () => {
  it('names each field once, and leaves out what a shell could interpret', () => {
    expect(request(null)).toEqual({
      ...{ method: 'POST', url: 'https://api.test/x?a=%27$(id)%60', body: null },
      headers: { 'X-One': '1, 2', 'X-Bad': HOSTILE.replace('\n', '') },
    });
    expect(snippetRequest(exampleExchange({ request: { method: 'A`id`' } }), null)).toContain(
      'Code can’t use the method',
    );
  });

  it('is sent by fetch with the same URL, fields and body', () => {
    const calls: unknown[] = [];
    const fetch = (...args: unknown[]) => {
      calls.push(args);
      return new Promise(() => undefined);
    };
    runInNewContext(fetchCall(request(HOSTILE)), { fetch });
    const { url, headers } = request(null);
    expect(calls).toEqual([[url, { method: 'POST', headers, body: HOSTILE }]]);
  });

  it('is sent by Node with the same URL, fields and body', () => {
    const ends: unknown[] = [];
    const send = (...args: unknown[]) => ({ end: (body: string) => ends.push([...args.slice(0, 2), body]) });
    runInNewContext(nodeProgram(request(HOSTILE)), { require: () => ({ request: send }) });
    const { url, headers } = request(null);
    expect(ends).toEqual([[url, { method: 'POST', headers }, HOSTILE]]);
  });

  it.each(['python', 'go'] as const)('is written for %s', (language) => {
    const program = snippet(request(HOSTILE), language);
    expect(program).toContain('"https://api.test/x?a=%27$(id)%60"');
    // JSON is a literal of both languages.
    expect(program).toContain(JSON.stringify(HOSTILE));
    expect(program).toContain(JSON.stringify(HOSTILE.replace('\n', '')));
  });

  it('is one word per part in a POSIX shell', () => {
    const command = httpieCommand(request(HOSTILE));
    const words = execFileSync('sh', ['-c', `http() { printf '%s\\0' "$@"; }; ${command}`])
      .toString()
      .split('\0');
    const { url } = request(null);
    const fields = ['X-One:1, 2', `X-Bad:${HOSTILE.replace('\n', '')}`];
    expect(words).toEqual(['--ignore-stdin', '--raw', HOSTILE, 'POST', url, ...fields, '']);
  });

  it('contains nothing that PowerShell would run', () => {
    const command = powershellCommand(request(HOSTILE));
    // Each quoted text ends at a mark that is not doubled: without them, nothing of the values is left.
    const left = command.replace(/'(?:['\u2018\u2019\u201a\u201b]{2}|[^'\u2018\u2019\u201a\u201b])*'/g, '#');
    expect(left).toBe('Invoke-WebRequest -Uri # -Method # `\n  -Headers @{\n  # = #\n  # = #\n} `\n  -Body #');
  });
});

it('opens the same WebSocket with websocat', () => {
  const headers = ['Host', 'a.test', 'Upgrade', 'websocket', 'Sec-WebSocket-Protocol', 'chat', 'Cookie', "a='1'"];
  const { request: message } = exampleExchange({ request: { path: '/live', headers } });
  expect(websocatCommand(message)).toBe(
    "websocat wss://api.test/live \\\n  --protocol chat \\\n  -H 'Cookie: a='\\''1'\\'''",
  );
});
