import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene, callTool } from '../../support/agent-scene.ts';
import { peakMemory } from '../../support/peak-memory.ts';
import { RawAgent } from '../../support/raw-agent.ts';

let scene: AgentScene;

beforeAll(async () => {
  scene = await AgentScene.open(['--agents-may-write', '--agents-send-to', '127.0.0.1']);
  await scene.request('/tea');
});
afterAll(() => scene.close());

const TEA = { name: 'tea', when: 'path:/tea', do: [{ answer: { status: 418, body: 'short' } }] };

describe('an agent that may write', () => {
  let agent: Client;
  beforeAll(async () => {
    agent = await scene.agent();
  });

  it('tries a rule, applies it, asks why it matched, and clears it', async () => {
    expect(await callTool(agent, 'try_rule', { rule: TEA })).toMatchObject({
      value: { matching: 1, actions: ['answer'] },
    });
    expect((await scene.request('/tea')).status).toBe(200);
    expect(await callTool(agent, 'apply_rule', { rule: TEA })).toMatchObject({ isError: false });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    const { value } = await callTool(agent, 'list', { query: 'status:418', limit: 1 });
    const { id } = (value as { exchanges: { id: number }[] }).exchanges[0] ?? { id: 0 };
    expect(await callTool(agent, 'explain_rules', { id })).toMatchObject({
      value: { rules: [{ name: 'tea', mine: true, on: true, matchesNow: true }], applied: [{ name: 'tea' }] },
    });
    expect(await callTool(agent, 'clear_mine')).toMatchObject({ value: { removed: ['tea'] } });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
  });

  it('sends a recorded request again, to an approved host only', async () => {
    const { value } = await callTool(agent, 'resend', { id: 1 });
    const { exchange } = value as { exchange: number };
    expect(await callTool(agent, 'wait_for', { query: `id:${exchange}`, after: 0 })).toMatchObject({
      value: { found: true, exchange: { method: 'GET', status: 200 } },
    });
    await scene.request('/elsewhere', {}, 'localhost');
    const found = await callTool(agent, 'list', { query: 'path:/elsewhere', fields: ['id'] });
    const [other] = (found.value as { exchanges: { id: number }[] }).exchanges;
    expect(await callTool(agent, 'resend', { id: other?.id })).toMatchObject({
      isError: true,
      value: expect.stringContaining('agents.host-not-approved'),
    });
  });

  it.each<[string, object, string]>([
    ['reads files', { answer: { file: '/etc/hostname' } }, 'may not read files'],
    ['reads folders', { answer: { folder: '/etc' } }, 'may not read files'],
    ['reads files into a request', { changeRequest: { bodyFile: '/etc/hostname' } }, 'may not read files'],
    ['runs a script', { script: { code: 'function onRequest() {}' } }, 'not apply them'],
    ['sends to another host', { mapTo: { host: 'localhost' } }, 'agents.host-not-approved'],
  ])('applies no rule that %s', async (_name, action, reason) => {
    const rule = { name: 'detour', when: 'path:/tea', do: [action] };
    expect(await callTool(agent, 'apply_rule', { rule })).toMatchObject({
      isError: true,
      value: expect.stringContaining(reason),
    });
  });

  it('redirects to an approved host', async () => {
    const rule = { name: 'to approved', when: 'path:/from', do: [{ mapTo: { host: '127.0.0.1' } }] };
    expect(await callTool(agent, 'apply_rule', { rule })).toMatchObject({ isError: false });
    expect(await callTool(agent, 'clear_mine')).toMatchObject({ value: { removed: ['to approved'] } });
  });

  it('loses its rules when they expire, and when it disconnects', async () => {
    await callTool(agent, 'apply_rule', { rule: TEA, seconds: 1 });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
    await callTool(agent, 'apply_rule', { rule: TEA });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    await agent.close();
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
  });

  it('loses its rules when its process is killed', async () => {
    const killed = new RawAgent(scene.folder);
    await killed.begin();
    killed.write(RawAgent.call(1, 'apply_rule', { rule: TEA }));
    expect((await killed.response(1)).result?.isError).not.toBe(true);
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    killed.child.kill('SIGKILL');
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
    expect(JSON.parse(fs.readFileSync(path.join(scene.folder, 'rules.json'), 'utf8'))).toMatchObject({ rules: [] });
  });
});

describe('an agent elsewhere', () => {
  it('uses the same tools over HTTP, with the token', async () => {
    const agent = await scene.httpAgent();
    expect(await callTool(agent, 'list', { query: 'path:/tea' })).toMatchObject({ isError: false });
    expect(await callTool(agent, 'export')).toMatchObject({
      value: { file: expect.stringContaining(path.join(scene.folder, 'agents')) },
    });
  });

  it('is refused without the token, and from other sites', async () => {
    await expect(scene.httpAgent('wrong')).rejects.toThrow();
    const url = new URL('/mcp', scene.ready.ui);
    const authorization = `Bearer ${new URL(scene.ready.ui).hash.replace('#token=', '')}`;
    const headers = { authorization, origin: 'http://evil.test', 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(403);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const nonsense = await fetch(url, { method: 'POST', body: '{', headers: { authorization } });
    expect(nonsense.status).toBeGreaterThanOrEqual(400);
  });

  it('reads a file without a proxy', async () => {
    const reader = await scene.agent();
    const { value } = await callTool(reader, 'export', { query: 'path:/tea' });
    const agent = await scene.agent((value as { file: string }).file);
    expect(await callTool(agent, 'list', { fields: ['path'], limit: 1 })).toMatchObject({
      value: { exchanges: [{ path: '/tea' }] },
    });
    expect(await callTool(agent, 'apply_rule', { rule: TEA })).toMatchObject({ isError: true });
  });
});

describe('an agent that misbehaves', () => {
  const FLOOD = 10_000;
  /** Bytes. Either process takes about 200 MB when nothing happens. */
  const MOST_MEMORY = 500e6;

  it('gets a response to each of its requests, however wrong they are', async () => {
    const agent = new RawAgent(scene.folder);
    agent.write('nonsense\n{"jsonrpc":"2.0"}\n[]\n{"jsonrpc":"1.0","id":7,"method":"tools/list"}\n\u0000\n');
    await agent.begin();
    expect(agent.responses.get(7)?.error).toMatchObject({ code: -32_600 });
    expect(agent.responses.get(null)?.error).toMatchObject({ code: -32_700 });
    agent.write('{"jsonrpc":"2.0","id":8,"method":"tools/list","params":7}\n');
    expect((await agent.response(8)).error).toMatchObject({
      code: -32_600,
      message: expect.stringContaining('JSON-RPC'),
    });
    agent.write(`{"half":\n${RawAgent.request(1, 'frobnicate')}${RawAgent.call(2, 'frobnicate')}`);
    agent.write(RawAgent.request(3, 'tools/call', { name: 7 }) + RawAgent.call(4, 'list', { query: {} }));
    expect((await agent.response(1)).error).toMatchObject({ code: -32_601 });
    expect((await agent.response(2)).error).toMatchObject({ message: expect.stringContaining('frobnicate') });
    expect((await agent.response(3)).error).toBeDefined();
    expect((await agent.response(4)).result?.isError).toBe(true);
    agent.write(RawAgent.call(5, 'status'));
    expect((await agent.response(5)).result?.isError).not.toBe(true);
  });

  it('is closed after a message that is too large, with one sentence', async () => {
    const agent = new RawAgent(scene.folder);
    await agent.begin();
    agent.write(RawAgent.call(1, 'list', { query: 'x'.repeat(2 * 1024 * 1024) }));
    const { exitCode, stderr } = await agent.finished();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^roundtrip: .*1048576 bytes.*\n$/),
    });
  });

  it('gets some results when it floods, and a refusal for each other call, while traffic flows', async () => {
    const agent = new RawAgent(scene.folder);
    await agent.begin();
    const ids = Array.from({ length: FLOOD }, (_, at) => at + 1);
    agent.write(ids.map((id) => RawAgent.call(id, 'list', { query: 'path:/tea' })).join(''));
    const statuses = [];
    for (let sent = 0; sent < 50; sent += 1) statuses.push((await scene.request(`/flood/${sent}`)).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const responses = await Promise.all(ids.map((id) => agent.response(id)));
    const texts = responses.map(({ result }) => result?.content?.at(-1)?.text ?? '');
    const refused = texts.filter((text) => text.startsWith('agents.too-many-calls'));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(FLOOD);
    expect(texts.filter((text) => !text.startsWith('agents.too-many-calls') && !text.includes('"matching"'))).toEqual(
      [],
    );
    for (const pid of [agent.child.pid, scene.ready.pid]) expect(peakMemory(pid) ?? 0).toBeLessThan(MOST_MEMORY);
    const reader = await scene.agent();
    expect(await callTool(reader, 'list', { query: 'path:/flood', limit: 1 })).toMatchObject({
      value: { matching: 50 },
    });
  });

  it('over HTTP is refused beyond the calls that are allowed at a time, and frees them when it leaves', async () => {
    const url = new URL('/mcp', scene.ready.ui);
    const authorization = `Bearer ${new URL(scene.ready.ui).hash.replace('#token=', '')}`;
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const agent = await scene.httpAgent();
    const leaving = new AbortController();
    const wait = () =>
      fetch(url, {
        method: 'POST',
        headers,
        body: RawAgent.call(1, 'wait_for', { query: 'path:/never', timeout: 55 }),
        signal: leaving.signal,
      }).then(async (response) => `${response.status} ${await response.text()}`);
    const texts: string[] = [];
    const waits = Array.from({ length: 100 }, () => wait().then((text) => texts.push(text)));
    await expect.poll(() => texts.length).toBe(36);
    expect(texts.filter((text) => !/^429 .*agents\.too-many-calls/.test(text))).toEqual([]);
    leaving.abort();
    await Promise.allSettled(waits);
    await expect.poll(() => callTool(agent, 'status')).toMatchObject({ isError: false });
    const large = await fetch(url, { method: 'POST', headers, body: `"${'x'.repeat(2 * 1024 * 1024)}"` });
    expect(large.status).toBe(413);
  });
});
