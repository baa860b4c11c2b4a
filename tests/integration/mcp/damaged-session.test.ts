import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeSession } from '../../performance/window/window-session.ts';
import { AgentScene, callTool } from '../../support/agent-scene.ts';

let scene: AgentScene;
beforeAll(async () => {
  scene = await AgentScene.open();
});
afterAll(() => scene.close());

it('the tools for agents leave damaged exchanges out, and say how many', async () => {
  const session = path.join(scene.folder, 'damaged.roundtrip');
  writeSession(session, 20);
  const database = new DatabaseSync(session);
  database.exec("UPDATE exchange SET row = 'x' WHERE id IN (2, 20); UPDATE detail SET row = 'x' WHERE exchange = 5");
  database.close();
  const agent = await scene.agent(session);
  const note = expect.stringMatching(/^3 exchanges of the session are damaged and left out/);
  const found = await callTool(agent, 'findings');
  expect(found).toMatchObject({ isError: false, value: { found: expect.any(Number), note } });
  const checked = await callTool(agent, 'check_budget', { budget: ['count < 19', 'findings < 100'] });
  expect(checked.value).toMatchObject({ ok: true, note });
  const counted = await callTool(agent, 'check_budget', { budget: ['count < 19'] });
  expect(counted.value).toMatchObject({ ok: true, note: expect.stringMatching(/^2 exchanges/) });
  const { sessions } = (await callTool(agent, 'status')).value as { sessions: { id: string }[] };
  const [before, after] = [sessions[0]?.id, sessions[0]?.id];
  const differences = await callTool(agent, 'diff_sessions', { before, after });
  expect(differences.value).toMatchObject({ counts: { added: 0 }, note: expect.stringMatching(/^4 exchanges/) });
});
