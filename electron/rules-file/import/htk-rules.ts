import * as v from 'valibot';
import { htkActions } from './htk-actions.ts';
import { htkQuery } from './htk-matchers.ts';
import { HtkPartSchema } from './htk-part.ts';
import { type ImportedRules, NoEquivalent, RuleCollector } from './imported.ts';

const Rule = v.looseObject({
  type: v.optional(v.string(), 'http'),
  title: v.optional(v.nullable(v.string())),
  activated: v.optional(v.boolean(), true),
  matchers: v.array(HtkPartSchema),
  handler: v.optional(HtkPartSchema),
  steps: v.optional(v.array(HtkPartSchema)),
  completionChecker: v.optional(v.unknown()),
});
const Group = v.looseObject({ title: v.optional(v.string(), 'group'), items: v.array(v.unknown()) });

/** The rules of HTTP Toolkit: the object of an `.htkrules` file. Null: it is not one. */
export function htkRules(value: unknown): ImportedRules | null {
  const root = v.safeParse(Group, value);
  if (!root.success) return null;
  const collector = new RuleCollector();
  collect(collector, root.output.items, null);
  return collector;
}

function collect(collector: RuleCollector, items: readonly unknown[], group: string | null): void {
  items.forEach((item, index) => {
    const nested = v.safeParse(Group, item);
    if (nested.success) {
      collect(collector, nested.output.items, nested.output.title);
      return;
    }
    const parsed = v.safeParse(Rule, item);
    const label = (parsed.success && parsed.output.title) || `${group === null ? '' : `${group}, `}rule ${index + 1}`;
    collector.add(label, (note) => {
      if (!parsed.success) throw new NoEquivalent('it is not an HTTP Toolkit rule');
      const { type, activated, matchers, handler, steps, completionChecker } = parsed.output;
      if (type !== 'http') throw new NoEquivalent(`rules for ${type} have no equivalent`);
      const checker = v.safeParse(HtkPartSchema, completionChecker);
      if (checker.success && checker.output.type !== 'always')
        throw new NoEquivalent('a rule that ends after some requests has no equivalent');
      const actions = (steps ?? (handler ? [handler] : [])).flatMap((part) => htkActions(part, note));
      if (actions.length === 0)
        throw new NoEquivalent('it passes requests on unchanged, as Roundtrip does without a rule');
      return { when: htkQuery(matchers, note), do: actions, enabled: activated, ...(group !== null && { group }) };
    });
  });
}
