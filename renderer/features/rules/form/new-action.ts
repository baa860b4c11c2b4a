import type { Action, ActionName } from '../../../../shared/model/rule/actions.ts';
import { ruleOf } from '../presets.ts';

const FIELD = [['x-example', 'yes']];

/** What a new action holds: an example that works, to be edited. */
const EXAMPLES: Record<ActionName, object> = {
  answer: { status: 200, headers: [['content-type', 'application/json']], body: '{}' },
  mapTo: { host: 'localhost', port: 3000 },
  changeRequest: { setHeaders: FIELD },
  changeResponse: { setHeaders: FIELD },
  delay: { ms: 500 },
  throttle: { profile: 'Slow 4G' },
  script: { code: 'function onRequest(request) {\n  console.log(request.method, request.url);\n}\n' },
  fail: { how: 'reset' },
  break: { on: 'both' },
  mark: { colour: 'yellow', note: '' },
};

export function newAction(name: ActionName): Action {
  const [action] = ruleOf({ label: '', name, do: [{ [name]: EXAMPLES[name] }] }, '').do;
  if (action === undefined) throw new Error(`no example of ${name}`);
  return action;
}
