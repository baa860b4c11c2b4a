import path from 'node:path';
import type { Action } from '../../shared/model/rule/actions.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';

/** The list with all paths of files absolute. `folder`: the one that holds the rules file. */
export function withAbsolutePaths(list: RuleList, folder: string): RuleList {
  const rules = list.rules.map((rule) => ({ ...rule, do: rule.do.map((action) => absolute(action, folder)) }));
  return { ...list, rules };
}

function absolute(action: Action, base: string): Action {
  if ('answer' in action) {
    const { file, folder } = action.answer;
    const paths = {
      ...(file && { file: path.resolve(base, file) }),
      ...(folder && { folder: path.resolve(base, folder) }),
    };
    return { answer: { ...action.answer, ...paths } };
  }
  if ('script' in action) {
    const { file } = action.script;
    return { script: { ...action.script, ...(file && { file: path.resolve(base, file) }) } };
  }
  if ('changeRequest' in action) return { changeRequest: withBodyFile(action.changeRequest, base) };
  if ('changeResponse' in action) return { changeResponse: withBodyFile(action.changeResponse, base) };
  return action;
}

function withBodyFile<C extends { bodyFile?: string | undefined }>(change: C, base: string): C {
  return change.bodyFile === undefined ? change : { ...change, bodyFile: path.resolve(base, change.bodyFile) };
}
