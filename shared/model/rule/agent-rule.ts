import type { Rule } from './rule.ts';

/** The data in the group name of an agent's rule. It is in the file, and therefore survives a crash of Roundtrip. */
export interface AgentMark {
  /** The process id of the Roundtrip that the agent uses. */
  host: number;
  /** When the rule ends, in milliseconds since the Unix epoch. */
  until: number;
}

/** `agent of 4711 until 2026-11-23T20:00:00.000Z`. */
const GROUP = /^agent of (\d{1,10}) until (\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

export function agentGroup({ host, until }: AgentMark): string {
  return `agent of ${host} until ${new Date(until).toISOString()}`;
}

/** Null: the rule is the user's. */
export function agentOf({ group = '' }: Pick<Rule, 'group'>): AgentMark | null {
  const [, host, until] = GROUP.exec(group) ?? [];
  return host === undefined || until === undefined ? null : { host: Number(host), until: Date.parse(until) };
}
