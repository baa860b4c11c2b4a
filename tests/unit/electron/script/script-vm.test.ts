import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { interpreterCode } from '../../../../electron/script/interpreter-code.ts';
import { ScriptVm } from '../../../../electron/script/script-vm.ts';
import type { ScriptInput } from '../../../../shared/model/rule/script-call.ts';

const WASM = interpreterCode(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../../../node_modules/quickjs-wasi/quickjs.wasm')),
);
const REQUEST = {
  method: 'GET',
  url: 'http://a.test/x?y=1',
  headers: [['X-A', '1']] as [string, string][],
  body: '{"n":1}',
};
const INPUT: ScriptInput = { hook: 'onRequest', rule: 'r', request: REQUEST };

function messageInput(body: string | null): ScriptInput {
  return { hook: 'onMessage', rule: 'r', request: REQUEST, message: { direction: 'to-client', body } };
}

async function run(source: string, input: ScriptInput = INPUT) {
  const { vm, problem } = await ScriptVm.load(WASM, source);
  return problem ? { outcome: { ok: false as const, problem }, console: [] } : vm.run(input);
}

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/scripts.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text ?? '');

describe('docs/scripts.md', () => {
  it.each(EXAMPLES)('has an example that runs: %s', async (source) => {
    expect(EXAMPLES.length).toBeGreaterThan(1);
    expect((await run(source)).outcome.ok).toBe(true);
    const response = { status: 200, headers: [], body: '{}' };
    expect((await run(source, { hook: 'onResponse', rule: 'r', request: REQUEST, response })).outcome.ok).toBe(true);
    expect((await run(source, messageInput('1 USD'))).outcome).toMatchObject({
      output: { message: { body: source.includes('EUR') ? '1 EUR' : '1 USD' } },
    });
  });
});

describe('ScriptVm', () => {
  it('names the line where a script does not compile, without running it', async () => {
    expect(await ScriptVm.check(WASM, 'throw 1;\nwhile (true) {}')).toBe(null);
    const problem = await ScriptVm.check(WASM, 'function onRequest(request) {\n  request.url = ;\n}');
    expect(problem).toMatchObject({ line: 2, detail: expect.stringContaining('SyntaxError') });
  });

  it('ends a loop behind an await, and is then spent', async () => {
    const { vm } = await ScriptVm.load(WASM, 'async function onRequest() { for (;;) await null; }');
    expect(vm.run(INPUT).outcome).toMatchObject({ problem: { kind: 'too-long', detail: 'it ran for more than 1 s' } });
    expect(vm.isSpent).toBe(true);
  });

  it.each([
    ['calls', 'const again = () => again() + 1;\nfunction onRequest() {\n  again();\n}', 1, false],
    // The interpreter does not count calls within its built-in functions.
    ['data', 'function onRequest() {\n  JSON.parse("[".repeat(1e6));\n}', null, true],
  ])('names a script whose %s are nested too deeply', async (_what, source, line, isSpent) => {
    const { vm } = await ScriptVm.load(WASM, source);
    const detail = expect.stringMatching(/^RangeError: Maximum call stack size exceeded$|nested too deeply$/);
    expect(vm.run(INPUT).outcome).toMatchObject({ problem: { kind: 'threw', line, detail } });
    expect(vm.isSpent).toBe(isSpent);
  });

  it('changes a request', async () => {
    const { outcome } = await run(`
      function onRequest(request, context) {
        request.method = 'POST';
        request.url = request.url.replace('y=1', 'y=2');
        request.headers.set('x-a', '2');
        request.headers.add('X-Rule', context.rule);
        request.body = { n: request.json().n + 1 };
      }`);
    expect(outcome).toMatchObject({
      ok: true,
      output: {
        request: {
          ...{ method: 'POST', url: 'http://a.test/x?y=2', body: '{"n":2}' },
          headers: [
            ['X-A', '2'],
            ['X-Rule', 'r'],
          ],
        },
        ...{ response: null, answer: null },
      },
    });
  });

  it('responds, also asynchronously', async () => {
    const source = `const onRequest = async () => {
      await null;
      return { status: 201, headers: { a: 'b' }, body: { c: 1 } };
    };`;
    const { outcome } = await run(source);
    expect(outcome).toMatchObject({
      ok: true,
      output: { answer: { status: 201, headers: [['a', 'b']], body: '{"c":1}' } },
    });
  });

  it('changes a response, and knows its request', async () => {
    const input: ScriptInput = {
      ...{ hook: 'onResponse', rule: 'r', request: REQUEST },
      response: { status: 200, headers: [['A', 'b']], body: 'cat' },
    };
    const source = `function onResponse(response, request) { response.status = 404; response.body += request.url; }`;
    const { outcome } = await run(source, input);
    expect(outcome).toMatchObject({ ok: true, output: { response: { status: 404, body: 'cathttp://a.test/x?y=1' } } });
  });

  it.each([
    ['changes', 'm.body += m.direction + context.rule + request.url', { body: 'ato-clientrhttp://a.test/x?y=1' }],
    ['makes JSON of', 'm.body = { a: m.body }', { body: '{"a":"a"}' }],
    ['drops', "return 'drop'", null],
    ['leaves alone', '', { body: 'a' }],
  ])('%s a message of a stream', async (_what, code, message) => {
    const { outcome } = await run(`function onMessage(m, request, context) { ${code} }`, messageInput('a'));
    expect(outcome).toMatchObject({ ok: true, output: { message } });
  });

  it('refuses any other result of a function for messages', async () => {
    const { outcome } = await run('const onMessage = () => null;', messageInput('a'));
    expect(outcome).toMatchObject({ ok: false, problem: { detail: expect.stringContaining("nothing or 'drop'") } });
  });

  it('passes a message for which the script has no function', async () => {
    expect((await run('let a = 1;')).outcome).toMatchObject({ ok: true, output: { request: REQUEST, answer: null } });
  });

  it('keeps what the script writes to its console', async () => {
    const { console: lines } = await run(`function onRequest(r) { console.log('a', { b: 1 }); console.warn(2); }`);
    expect(lines).toEqual([
      { level: 'log', text: 'a {"b":1}' },
      { level: 'warn', text: '2' },
    ]);
  });

  it.each([
    ['throws', 'function onRequest() {\n  null.a;\n}', 'threw', 2, 'TypeError'],
    ['throws what is no error', 'function onRequest() { throw 1; }', 'threw', null, '1'],
    ['is no JavaScript', '\nfunction (', 'threw', 2, 'SyntaxError'],
    ['loops', 'function onRequest() {\n for (;;);\n}', 'too-long', null, 'more than 1 s'],
    ['loops at once', 'for (;;);', 'too-long', 1, 'more than 1 s'],
    [
      'eats memory',
      'function onRequest() { const a = []; for (;;) a.push("x".repeat(1e6) + a.length); }',
      'memory',
      1,
      'memory',
    ],
    ['waits forever', 'function onRequest() { return new Promise(() => {}); }', 'threw', null, 'never happens'],
    ['recurses', 'function onRequest() { onRequest(); }', 'threw', null, 'stack'],
    ['leaves a wrong message', 'function onRequest(r) { r.url = "x"; }', 'threw', null, 'request.url: the URL'],
    ['leaves a wrong field', 'function onRequest(r) { r.headers.add("a b", "c"); }', 'threw', null, 'field'],
    ['returns no response', 'function onRequest(r) { return 7; }', 'threw', null, 'must return'],
  ])('names a script that %s', async (_what, source, kind, line, detail) => {
    const { outcome } = await run(source);
    expect(outcome).toMatchObject({ ok: false, problem: { kind, detail: expect.stringContaining(detail) } });
    if (!outcome.ok && line !== null) expect(outcome.problem.line).toBe(line);
  });

  it('keeps a script inside its sandbox', async () => {
    const names = ['require', 'process', 'fetch', 'setTimeout', 'XMLHttpRequest', 'importScripts'];
    const { outcome } = await run(
      `function onRequest(r) { r.body = ${JSON.stringify(names)}.filter((n) => n in globalThis).join(); }`,
    );
    expect(outcome).toMatchObject({ ok: true, output: { request: { body: '' } } });
  });
});
