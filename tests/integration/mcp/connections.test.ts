import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene, callTool } from '../../support/agent-scene.ts';

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

  it('loses its rules when they expire, and when it goes', async () => {
    await callTool(agent, 'apply_rule', { rule: TEA, seconds: 1 });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
    await callTool(agent, 'apply_rule', { rule: TEA });
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(418);
    await agent.close();
    await expect.poll(async () => (await scene.request('/tea')).status).toBe(200);
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
