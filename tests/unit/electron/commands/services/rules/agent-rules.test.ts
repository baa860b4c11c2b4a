import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RuleStore } from '../../../../../../electron/commands/services/rule-store.ts';
import { AgentRules } from '../../../../../../electron/commands/services/rules/agent-rules.ts';
import { agentGroup } from '../../../../../../shared/model/rule/agent-rule.ts';
import type { Rule } from '../../../../../../shared/model/rule/rule.ts';
import { compileScript } from '../../../../../support/script-host.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

const LATER = Date.now() + 3_600_000;

/** Of a process that has ended. */
const GONE = spawnSync(process.execPath, ['-e', '0']).pid;

function rule(name: string, group?: string): Rule {
  return { name, enabled: true, when: '', do: [{ mark: { note: name } }], ...(group !== undefined && { group }) };
}

/** A store whose file holds these rules, and the rules of agents in it. */
async function scene(...rules: Rule[]) {
  const file = path.join(temporaryFolder(), 'rules.json');
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules }));
  const store = await RuleStore.open(path.dirname(file), null, compileScript);
  const agents = new AgentRules(store);
  onTestFinished(() => {
    agents.close();
    store.close();
  });
  const names = (): string[] => JSON.parse(fs.readFileSync(file, 'utf8')).rules.map((one: Rule) => one.name);
  return { file, store, agents, names };
}

it('the start removes leftover rules: expired ones, those of an ended Roundtrip and of unknown agents', async () => {
  const { agents, names } = await scene(
    rule('expired', agentGroup({ host: process.ppid, until: Date.now() - 1 })),
    rule('of a dead Roundtrip', agentGroup({ host: GONE, until: LATER })),
    rule('of an earlier process with our id', agentGroup({ host: process.pid, until: LATER })),
    rule('of another Roundtrip', agentGroup({ host: process.ppid, until: LATER })),
    rule('of the user', 'mine'),
  );
  agents.start();
  expect(names()).toEqual(['of another Roundtrip', 'of the user']);
});

it("closing an agent's connection removes its rules and no others", async () => {
  const { agents, names } = await scene(rule('of the user'));
  const [one, another] = [{}, {}];
  agents.apply(one, rule('a'), 60);
  agents.apply(one, rule('b'), 60);
  agents.apply(another, rule('c'), 60);
  agents.apply(another, rule('a'), 60);
  expect(names()).toEqual(['a', 'c', 'b', 'of the user']);
  agents.left(one);
  expect(names()).toEqual(['a', 'c', 'of the user']);
  agents.left(another);
  expect(names()).toEqual(['of the user']);
});

it('agents have at most 50 rules together, and can replace each', async () => {
  const { agents, names } = await scene(rule('of the user'));
  for (let at = 0; at < 50; at += 1) agents.apply({}, rule(`r${at}`), 60);
  expect(() => agents.apply({}, rule('one more'), 60)).toThrow(
    expect.objectContaining({ code: 'agents.too-many-rules' }),
  );
  agents.apply({}, rule('r7'), 60);
  expect(names()).toHaveLength(51);
  agents.clear();
  agents.apply({}, rule('one more'), 60);
  expect(names()).toEqual(['one more', 'of the user']);
});

it('a rule is removed when it expires, and all of them at the end', async () => {
  const { agents, store, names } = await scene();
  agents.apply({}, rule('short'), 0.05);
  await expect.poll(names).toEqual([]);
  agents.apply({}, rule('long'), 60);
  agents.close();
  expect(names()).toEqual([]);
  expect(store.state().rules.rules).toEqual([]);
});

it('a rule stays in a file with faults until they are gone', async () => {
  const { agents, file, store, names } = await scene();
  const agent = {};
  agents.apply(agent, rule('a'), 60);
  const good = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, 'no rules');
  agents.left(agent);
  expect(fs.readFileSync(file, 'utf8')).toBe('no rules');
  expect(() => agents.clear()).toThrow('are not used');
  fs.writeFileSync(file, good);
  store.reload();
  expect(agents.clear()).toEqual(['a']);
  expect(names()).toEqual([]);
});
