import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';

/** What a file of another program came to. */
export interface ImportedRules {
  rules: Rule[];
  /** One line for each item that has no equivalent: which, and why. */
  skipped: string[];
}

/** Refuses one item; its message says what has no equivalent, as the end of a sentence. */
export class NoEquivalent extends Error {
  override readonly name = 'NoEquivalent';
}

/** Collects rules, with names that are unique among them. */
export class RuleCollector implements ImportedRules {
  readonly rules: Rule[] = [];
  readonly skipped: string[] = [];
  readonly #names = new Set<string>();

  /** `make`: returns a rule as in a file, without its name. It may throw `NoEquivalent`. */
  add(label: string, make: () => { when: string; do: object[]; enabled?: boolean; group?: string }): void {
    try {
      const { group, ...rule } = make();
      const parsed = parseRule({ ...rule, ...(group !== undefined && { group }), name: this.#free(label) });
      if (!parsed.ok) throw new NoEquivalent(parsed.problem);
      this.#names.add(parsed.rule.name);
      this.rules.push(parsed.rule);
    } catch (error) {
      if (!(error instanceof NoEquivalent)) throw error;
      this.skipped.push(`${label}: ${error.message}`);
    }
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#names.has(name); count += 1) name = `${wanted} ${count}`;
    return name;
  }
}
