import fs from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene, callTool } from '../../support/agent-scene.ts';

let scene: AgentScene;
let agent: Client;

beforeAll(async () => {
  scene = await AgentScene.open();
  for (const path of ['/users/1?token=hunter2', '/users/2', '/broken'])
    await scene.request(path, { authorization: 'Bearer hunter2' });
  agent = await scene.agent();
});
afterAll(() => scene.close());

const resultOf = async (name: string, args: Record<string, unknown> = {}) => {
  const { isError, value } = await callTool(agent, name, args);
  expect({ isError, value }).toMatchObject({ isError: false });
  return value;
};

describe('the tools for agents', () => {
  it('cost less than 4,000 tokens together, and each has a schema', async () => {
    const { tools } = await agent.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(16_000);
    // Each word, number and sign counted as a token: tokenizers join signs, and split rare words only.
    expect(JSON.stringify(tools).match(/[A-Za-z]+|\d+|[^\sA-Za-z\d]/g)?.length).toBeLessThan(4000);
    for (const { name, description, inputSchema } of tools)
      expect({ name, described: (description ?? '').length > 20, type: inputSchema.type }).toMatchObject({
        described: true,
        type: 'object',
      });
  });

  it('status: proxy, sessions and what is allowed', async () => {
    expect(await resultOf('status')).toMatchObject({
      proxy: { state: 'running', url: scene.ready.proxy },
      mayWrite: false,
      sessions: [{ exchanges: 3 }],
    });
  });

  it('self_test: the proxy answers and records', async () => {
    const { checks } = (await resultOf('self_test')) as { checks: { check: string; ok: boolean }[] };
    expect(checks.filter(({ ok }) => ok).map(({ check }) => check)).toEqual(
      expect.arrayContaining(['proxy answers', 'recording', 'traffic recorded']),
    );
  });

  it('list: pages of matches, newest first, without secrets', async () => {
    const first = await callTool(agent, 'list', { query: 'path:/users', limit: 1, fields: ['id', 'path'] });
    expect(first.texts[0]).toContain('untrusted');
    expect(first.value).toEqual({ matching: 2, cursor: 2, exchanges: [{ id: 2, path: '/users/2' }] });
    const next = await resultOf('list', { query: 'path:/users', limit: 1, cursor: 2, fields: ['path'] });
    expect(next).toEqual({ matching: 1, cursor: null, exchanges: [{ path: '/users/1?token=REDACTED' }] });
  });

  it('list: alternatives, with the operator that its description names', async () => {
    const { tools } = await agent.listTools();
    const [, operator] =
      /`(\w+)`, `-` \(not\)/.exec(tools.find(({ name }) => name === 'list')?.description ?? '') ?? [];
    const query = `path:/users/2 ${operator} path:/broken`;
    expect(await resultOf('list', { query, fields: ['path'] })).toMatchObject({
      exchanges: [{ path: '/broken' }, { path: '/users/2' }],
    });
  });

  it('get: everything but the secrets', async () => {
    const text = JSON.stringify(await resultOf('get', { id: 1 }));
    expect(text).toContain('Bearer REDACTED');
    expect(text).toContain('session=REDACTED');
    expect(text).not.toContain('hunter2');
  });

  it('body: text, a JSON path, and a private file', async () => {
    expect(await resultOf('body', { id: 1 })).toMatchObject({ text: expect.stringContaining('"password":"REDACTED"') });
    expect(await resultOf('body', { id: 1, offset: 1, length: 5 })).toMatchObject({ text: '"item', next: 6 });
    expect(await resultOf('body', { id: 1, jsonPath: '$.items[*].id' })).toMatchObject({ values: [1, 2] });
    expect(await resultOf('body', { id: 1, jsonPath: '$["odd name"]' })).toMatchObject({ values: [true] });
    const { file } = (await resultOf('body', { id: 1, toFile: true })) as { file: string };
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toContain('"password":"REDACTED"');
  });

  it('wait_for: a later exchange, an earlier one, and none', async () => {
    const waiting = resultOf('wait_for', { query: 'path:/later', timeout: 50 });
    // Until the wait listens, requests repeat.
    let found: unknown = null;
    void waiting.then((value) => {
      found = value;
    });
    await expect.poll(async () => (await scene.request('/later')) && found).toMatchObject({ found: true });
    expect(await resultOf('wait_for', { query: 'path:/broken', after: 0 })).toMatchObject({
      exchange: { status: 500 },
    });
    expect(await resultOf('wait_for', { query: 'path:/never', timeout: 0 })).toEqual({ found: false });
  });

  it('aggregate: by template, with failures', async () => {
    const query = '-path:/later';
    const { rows } = (await resultOf('aggregate', { query, groupBy: 'template' })) as { rows: { key: string }[] };
    const host = new URL(scene.origin).host;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ key: `GET ${host}/users/{id}`, count: 2, failed: 0, totalP95: expect.any(Number) });
    expect(await resultOf('aggregate', { query, sortBy: 'failed' })).toMatchObject({ rows: [{ count: 3, failed: 1 }] });
  });

  it('timeline: slices of time', async () => {
    const value = (await resultOf('timeline', { query: '-path:/later', slices: 3 })) as {
      slices: { started: number }[];
    };
    expect(value.slices.reduce((sum, { started }) => sum + started, 0)).toBe(3);
  });

  it('try_rule: what a rule would change, with scripts, but never secrets or files', async () => {
    const script = `function onRequest(r) { r.headers.set('x-copy', [...r.headers.get('authorization')].join('-')); }
function onResponse(r) { const data = r.json(); data.pass = data.password; data.items = []; r.body = data; }`;
    const rule = { name: 'copy', when: 'path:/users/1', do: [{ script: { code: script } }] };
    const value = (await resultOf('try_rule', { rule })) as { hits: { changes: { lines: string[] }[] }[] };
    expect(value).toMatchObject({ matching: 1, hits: [{ id: 1, problem: null }] });
    const [request, response] = value.hits[0]?.changes ?? [];
    expect(request?.lines).toEqual(['+x-copy: B-e-a-r-e-r- -R-E-D-A-C-T-E-D']);
    expect(response?.lines).toEqual(expect.arrayContaining(['+  "items": [],', '+  "pass": "REDACTED"']));
    expect(JSON.stringify(value)).not.toContain('hunter2');
    const both = ['status:200', 'status:500'].map((when) => resultOf('try_rule', { rule: { ...rule, when } }));
    expect(await Promise.all(both)).toMatchObject([{ matching: expect.any(Number) }, { matching: 1 }]);
    // The matches of such a rule would reveal the beginning of a secret.
    const guess = await callTool(agent, 'try_rule', { rule: { ...rule, when: 'header:"authorization: bearer h*"' } });
    expect(guess).toMatchObject({ isError: true, value: expect.stringContaining('agents.bad-query') });
    const reads = { name: 'reads', do: [{ answer: { file: '/etc/passwd' } }] };
    const refused = await callTool(agent, 'try_rule', { rule: reads });
    expect(refused).toMatchObject({ isError: true, value: expect.stringContaining('agents may not read files') });
  });

  it('diff_exchanges and diff_sessions', async () => {
    const { changes } = (await resultOf('diff_exchanges', { a: 2, b: 3 })) as { changes: { what: string }[] };
    expect(changes).toContainEqual({ what: 'response.status', a: 200, b: 500 });
    const { sessions } = (await resultOf('status')) as { sessions: { id: string }[] };
    const id = sessions[0]?.id;
    expect(await resultOf('diff_sessions', { before: id, after: id })).toMatchObject({ counts: { added: 0, gone: 0 } });
  });

  it('findings and check_budget', async () => {
    expect(await resultOf('findings', { query: 'path:/users' })).toMatchObject({ found: expect.any(Number) });
    const budget = ['count < 2', 'findings < 1000'];
    expect(await resultOf('check_budget', { budget })).toMatchObject({
      ok: false,
      verdicts: [{ ok: false }, { ok: true }],
    });
  });

  it('export: a HAR file without secrets', async () => {
    const { file } = (await resultOf('export', { query: 'path:/users' })) as { file: string };
    const har = fs.readFileSync(file, 'utf8');
    expect(JSON.parse(har).log.entries).toHaveLength(2);
    expect(har).not.toContain('hunter2');
  });

  it.each([
    ['list', { query: 'status:' }, 'agents.bad-query'],
    ['body', { id: 1, jsonPath: '$.items[' }, 'agents.bad-json-path'],
    ['get', { id: 99_999 }, 'session.not-found'],
    ['get', { id: 1, session: 'another' }, 'session.not-open'],
    ['check_budget', { budget: ['many'] }, 'agents.bad-budget'],
    ['resend', { id: 1 }, 'agents.read-only'],
    ['try_rule', { rule: { name: 'x', do: [] } }, 'agents.bad-rule'],
    ['apply_rule', { rule: { name: 'x', do: [{ delay: { ms: 1 } }] } }, 'agents.read-only'],
    ['clear_mine', {}, 'agents.read-only'],
  ])('%s %j is refused with %s', async (name, args, code) => {
    const { isError, value } = await callTool(agent, name, args);
    expect({ isError, value }).toEqual({ isError: true, value: expect.stringContaining(code) });
  });

  it('get, body and diff_exchanges: a secret is removed wherever the server repeats it', async () => {
    await scene.request('/mirror', { authorization: 'Bearer repeated-secret' });
    await scene.request('/mirror');
    const found = (await resultOf('list', { query: 'path:/mirror', fields: ['id'] })) as {
      exchanges: { id: number }[];
    };
    const [without, id] = found.exchanges.map((one) => one.id);
    expect(await resultOf('body', { id })).toMatchObject({ text: 'You sent Bearer REDACTED.' });
    const texts = [await resultOf('get', { id }), await resultOf('diff_exchanges', { a: id, b: without })];
    expect(JSON.stringify(texts)).toContain('it was Bearer REDACTED');
    expect(JSON.stringify(texts)).not.toContain('repeated-secret');
  });

  it('list: a secret that the agent has met is removed from other rows too', async () => {
    await scene.request('/met?token=agents-secret');
    await scene.request('/confirm/agents-secret');
    await scene.request('/confirm/repeated-secret');
    const result = (await resultOf('list', { query: 'path:/met OR path:/confirm', fields: ['path'], limit: 3 })) as {
      exchanges: { path: string }[];
    };
    const { file } = (await resultOf('export', { query: 'path:/confirm' })) as { file: string };
    expect(result.exchanges.map(({ path }) => path)).toEqual([
      ...['/confirm/REDACTED', '/confirm/REDACTED', '/met?token=REDACTED'],
    ]);
    expect(fs.existsSync(file)).toBe(true);
  });

  it('refuse nonsense without ending', async () => {
    await expect(callTool(agent, 'list', { limit: 'many' }).then((result) => result.isError)).resolves.toBe(true);
    await expect(callTool(agent, 'nothing')).rejects.toThrow();
    expect(await resultOf('status')).toMatchObject({ mayWrite: false });
  });
});
