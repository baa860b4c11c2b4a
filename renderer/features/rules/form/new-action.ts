import type { Action, ActionName } from '../../../../shared/model/rule/actions.ts';
import { ruleOf } from '../presets.ts';
import { ACTION_EXAMPLES } from '../rule-words.ts';

/** What a new action holds: its example. */
export function newAction(name: ActionName): Action {
  const [action] = ruleOf({ label: '', name, do: [{ [name]: ACTION_EXAMPLES[name] }] }, '').do;
  if (action === undefined) throw new Error(`no example of ${name}`);
  return action;
}
