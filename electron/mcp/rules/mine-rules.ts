import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';

/** The groups of rules that agents made: `agent until 2026-11-23T20:00:00.000Z`. The time survives a crash of ours. */
const GROUP = /^agent until (\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

export function agentGroup(until: Date): string {
  return `agent until ${until.toISOString()}`;
}

/** Whether an agent made the rule. */
export function isMine({ group = '' }: Pick<Rule, 'group'>): boolean {
  return GROUP.test(group);
}

function hasExpired({ group = '' }: Rule, now: number): boolean {
  const [, until] = GROUP.exec(group) ?? [];
  return until !== undefined && Date.parse(until) <= now;
}

/** The rules of agents, apart from the user's: they expire, and are removed when the agent goes. */
export class MineRules {
  readonly #api: InspectorApi;
  readonly #names = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** One change at a time: each reads the list, and writes it whole. */
  #change: Promise<unknown> = Promise.resolve();

  constructor(api: InspectorApi) {
    this.#api = api;
  }

  /** Puts the rule before the user's, in place of an agent's rule with the same name. Rejects as `rules.update` does. */
  async apply(rule: Rule, seconds: number): Promise<{ until: string }> {
    const until = new Date(Date.now() + seconds * 1000);
    const mine = { ...rule, group: agentGroup(until) };
    await this.#update((rules) => [mine, ...rules.filter((one) => !(isMine(one) && one.name === rule.name))]);
    this.#names.add(rule.name);
    this.#sweepAt(until.getTime());
    return { until: until.toISOString() };
  }

  /** Removes all rules of agents; returns their names. */
  async clear(): Promise<string[]> {
    const removed = await this.#update((rules) => rules.filter((rule) => !isMine(rule)));
    this.#names.clear();
    return removed;
  }

  /** Removes the rules that this agent made. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#names.size === 0) return;
    await this.#update((rules) => rules.filter((rule) => !(isMine(rule) && this.#names.has(rule.name))));
  }

  #sweepAt(time: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#sweep().catch(() => undefined), Math.max(time - Date.now(), 0) + 10);
    this.#timer.unref();
  }

  async #sweep(): Promise<void> {
    await this.#update((rules) => rules.filter((rule) => !hasExpired(rule, Date.now())));
    const { rules } = await this.#api.request('rules.get', {});
    const next = rules.rules.flatMap(({ group = '' }) => GROUP.exec(group)?.[1] ?? []).sort()[0];
    if (next !== undefined) this.#sweepAt(Date.parse(next));
  }

  /** Returns the names of the rules that are gone. Rules that have expired go with every change. */
  #update(change: (rules: Rule[]) => Rule[]): Promise<string[]> {
    const changed = this.#change.then(async () => {
      const { rules: list } = await this.#api.request('rules.get', {});
      const next = change(list.rules.filter((rule) => !hasExpired(rule, Date.now())));
      const removed = list.rules.filter((rule) => !next.includes(rule)).map(({ name }) => name);
      const isSame = removed.length === 0 && next.length === list.rules.length;
      if (!isSame) await this.#api.request('rules.update', { rules: { ...list, rules: next } });
      return removed;
    });
    this.#change = changed.catch(() => undefined);
    return changed;
  }
}
