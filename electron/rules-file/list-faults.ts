import type { Rule } from '../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { JsonSource } from './json-source.ts';

/** Reports and counters refer to rules by name. `rules`: null for each faulty one. */
export function repeatedNames(source: JsonSource, rules: readonly (Rule | null)[]): RuleFault[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule, index) => {
    if (rule === null) return [];
    const before = first.get(rule.name);
    if (before === undefined) {
      first.set(rule.name, index);
      return [];
    }
    const message = `Rule ${before + 1} has the name ${JSON.stringify(rule.name)} too: give each rule its own.`;
    return [source.faultAt(['rules', index, 'name'], message)];
  });
}

/** Groups to switch off that no rule belongs to. */
export function unknownGroups(source: JsonSource, groupsOff: readonly string[], rules: readonly Rule[]): RuleFault[] {
  const groups = [...new Set(rules.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  const known = groups.length > 0 ? `The groups are ${groups.join(', ')}.` : 'No rule has a group.';
  return groupsOff.flatMap((group, index) => {
    if (groups.includes(group)) return [];
    return [source.faultAt(['groupsOff', index], `No rule belongs to the group ${JSON.stringify(group)}. ${known}`)];
  });
}
