import type { RuleList } from '../../../shared/model/rule/rule.ts';
import { useApp } from '../app-context.ts';
import { groupsOf, switchGroup } from './rule-actions.ts';

/** Switches whole groups on and off; draws nothing if no rule has a group. */
export function RuleGroups({ list: { rules, groupsOff } }: { list: RuleList }) {
  const app = useApp();
  const groups = groupsOf(rules);
  if (groups.length === 0) return null;
  return (
    <fieldset className="rule-groups">
      <legend>Groups</legend>
      {groups.map((group) => (
        <label key={group}>
          <input
            type="checkbox"
            checked={!groupsOff.includes(group)}
            onChange={(event) => void switchGroup(app, group, event.target.checked)}
          />
          {group}
        </label>
      ))}
    </fieldset>
  );
}
