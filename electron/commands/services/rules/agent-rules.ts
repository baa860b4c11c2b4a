import { type AgentMark, agentGroup, agentOf } from '../../../../shared/model/rule/agent-rule.ts';
import type { Rule } from '../../../../shared/model/rule/rule.ts';
import { roundtripError } from '../../../failures/errors.ts';
import { isAlive } from '../../../files/is-alive.ts';
import type { RuleStore } from '../rule-store.ts';

/** Milliseconds between two checks while agents have rules: nothing reports that another Roundtrip was killed. */
const INTERVAL = 10_000;
/** Rules of all agents. Each change writes the file and gives the engine all rules: thousands keep the host busy. */
const MOST = 50;

/**
 * The rules of agents, apart from the user's in the same file. A rule ends at its time, when its agent's connection
 * closes, or when the agent's Roundtrip is gone: a killed agent or Roundtrip leaves none behind.
 */
export class AgentRules {
  readonly #store: RuleStore;
  /** The connection of each agent with rules, and their names. */
  readonly #owners = new Map<object, Set<string>>();
  readonly #unfollow: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: RuleStore) {
    this.#store = store;
    this.#unfollow = store.onChange(() => this.#schedule());
  }

  /** Removes what agents left behind while no Roundtrip ran. */
  start(): void {
    this.#sweep();
  }

  /**
   * Puts the rule before the user's, in place of an agent's rule with the same name. Throws
   * `agents.too-many-rules`, or as `RuleStore.update`.
   */
  apply(owner: object, rule: Rule, seconds: number): { until: string } {
    const others = this.#store.state().rules.rules.filter((each) => agentOf(each) && each.name !== rule.name);
    if (others.length >= MOST) throw roundtripError('agents.too-many-rules', { limit: MOST });
    const until = Date.now() + seconds * 1000;
    const mine = { ...rule, group: agentGroup({ host: process.pid, until }) };
    const own = this.#owners.get(owner) ?? new Set();
    this.#owners.set(owner, own);
    for (const names of this.#owners.values()) names.delete(rule.name);
    own.add(rule.name);
    this.#change((rules) => [mine, ...rules.filter((one) => !(agentOf(one) && one.name === rule.name))]);
    return { until: new Date(until).toISOString() };
  }

  /** Removes the rules of all agents; returns their names. Throws as `RuleStore.update`. */
  clear(): string[] {
    this.#owners.clear();
    return this.#change((rules) => rules.filter((rule) => agentOf(rule) === null));
  }

  /** The connection has closed. */
  left(owner: object): void {
    if (this.#owners.delete(owner)) this.#sweep();
  }

  /** Removes the rules of agents that used this Roundtrip. */
  close(): void {
    this.#unfollow();
    this.#owners.clear();
    this.#sweep();
    clearTimeout(this.#timer);
  }

  #isOver(name: string, { host, until }: AgentMark): boolean {
    if (until <= Date.now()) return true;
    if (host !== process.pid) return !isAlive(host);
    return ![...this.#owners.values()].some((names) => names.has(name));
  }

  /**
   * A file that can't be written or has faults keeps its rules until it changes. One without agents' rules is not read.
   */
  #sweep(): void {
    if (!this.#store.state().rules.rules.some(agentOf)) return;
    let least = 0;
    try {
      this.#change((rules) => rules);
    } catch {
      // `RuleStore` reports the state of its file.
      least = INTERVAL;
    }
    this.#schedule(least);
  }

  /** `least`: milliseconds to wait at least. */
  #schedule(least = 0): void {
    clearTimeout(this.#timer);
    const ends = this.#store.state().rules.rules.flatMap((rule) => agentOf(rule)?.until ?? []);
    if (ends.length === 0) return;
    const wait = Math.min(Math.max(Math.min(...ends) - Date.now(), least), INTERVAL);
    this.#timer = setTimeout(() => this.#sweep(), wait).unref();
  }

  /** Writes the result of `change`, without expired rules. Returns the names of the removed ones. */
  #change(change: (rules: Rule[]) => Rule[]): string[] {
    // Another program may have changed the file since the last read.
    this.#store.reload();
    const list = this.#store.state().rules;
    const next = change(list.rules).filter((rule) => {
      const mark = agentOf(rule);
      return mark === null || !this.#isOver(rule.name, mark);
    });
    const removed = list.rules.filter((rule) => !next.includes(rule)).map(({ name }) => name);
    if (removed.length > 0 || next.length !== list.rules.length) this.#store.update({ ...list, rules: next });
    return removed;
  }
}
