import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';
import { parseRules } from '../parse-rules.ts';

/** The result of importing another program's file. */
export interface ImportedRules {
  rules: Rule[];
  /** One line for each item, or part of one, that has no equivalent: which, and why. */
  skipped: string[];
}

/** Refuses one item; its message says what has no equivalent, as the end of a sentence. */
export class NoEquivalent extends Error {
  override readonly name = 'NoEquivalent';
}

/** Names a part that a rule leaves out or treats differently. */
export type Note = (text: string) => void;

/** A rule as in a file, without its name. */
export interface Draft {
  when: string;
  do: object[];
  enabled?: boolean;
  group?: string;
}

/** Collects rules, with names that are unique among them. */
export class RuleCollector implements ImportedRules {
  readonly rules: Rule[] = [];
  readonly skipped: string[] = [];
  readonly #names = new Set<string>();

  /**
   * `make`: returns a rule as in a file, without its name. It may throw `NoEquivalent`, and notes parts of the item
   * that the rule leaves out.
   */
  add(label: string, make: (note: Note) => Draft): void {
    try {
      const notes: string[] = [];
      const { group, ...rule } = make((text) => notes.push(text));
      const parsed = parseRule({ ...rule, ...(group !== undefined && { group }), name: this.#free(label) });
      if (!parsed.ok) throw new NoEquivalent(parsed.problem);
      // One faulty rule would invalidate the whole file.
      const checked = parseRules(JSON.stringify({ version: 1, rules: [parsed.rule] }));
      if (!checked.ok) throw new NoEquivalent(checked.faults[0]?.message ?? 'it makes no valid rule');
      this.#names.add(parsed.rule.name);
      this.rules.push(parsed.rule);
      this.skipped.push(...new Set(notes.map((note) => `${label}: ${note}`)));
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
