import type { Action, ChangeMessage, Delay, PatchOperation, Replacement } from '../../shared/model/rule/actions.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { Script } from '../../shared/model/rule/script.ts';
import type { JsonPath, JsonSource } from './json-source.ts';

/** What the schema can't express about an action. `path`: of the action. */
export function actionFaults(source: JsonSource, action: Action, path: JsonPath): RuleFault[] {
  if ('answer' in action) {
    return excluding(source, action.answer, ['body', 'bodyBase64', 'file', 'folder'], [...path, 'answer']);
  }
  if ('script' in action) return scriptFaults(source, action.script, [...path, 'script']);
  if ('delay' in action) return delayFaults(source, action.delay, [...path, 'delay']);
  if ('mapTo' in action) {
    return replacementFaults(source, action.mapTo.replacePath, [...path, 'mapTo', 'replacePath']);
  }
  if ('changeResponse' in action) return changeFaults(source, action.changeResponse, [...path, 'changeResponse']);
  if (!('changeRequest' in action)) return [];
  const { changeRequest } = action;
  const place = [...path, 'changeRequest'];
  return [
    ...replacementFaults(source, changeRequest.replacePath, [...place, 'replacePath']),
    ...changeFaults(source, changeRequest, place),
  ];
}

function changeFaults(source: JsonSource, change: ChangeMessage, path: JsonPath): RuleFault[] {
  return [
    ...excluding(source, change, ['body', 'bodyFile'], path),
    ...replacementFaults(source, change.replaceBody, [...path, 'replaceBody']),
    ...(change.patchJson ?? []).flatMap((operation, index) =>
      patchFaults(source, operation, [...path, 'patchJson', index]),
    ),
  ];
}

/** Fields that exclude each other: the second one is reported. */
function excluding(source: JsonSource, value: object, names: readonly string[], path: JsonPath): RuleFault[] {
  const [first, ...others] = names.filter((name) => name in value);
  return others.map((name) =>
    source.faultAtName([...path, name], `"${first}" and "${name}" exclude each other: keep one of them.`),
  );
}

function scriptFaults(source: JsonSource, script: Script, path: JsonPath): RuleFault[] {
  if (script.code === undefined && script.file === undefined)
    return [source.faultAt(path, 'A script needs "code" or "file".')];
  return excluding(source, script, ['code', 'file'], path);
}

function delayFaults(source: JsonSource, { ms, upTo }: Delay, path: JsonPath): RuleFault[] {
  if (upTo === undefined || upTo >= ms) return [];
  return [source.faultAt([...path, 'upTo'], `"upTo" must be at least "ms", which is ${ms}.`)];
}

function replacementFaults(
  source: JsonSource,
  replacements: readonly Replacement[] | undefined,
  path: JsonPath,
): RuleFault[] {
  return (replacements ?? []).flatMap(({ find, regex }, index) => {
    const problem = regex ? regexProblem(find) : null;
    return problem === null ? [] : [source.faultAt([...path, index, 'find'], problem)];
  });
}

/** Compiled as the engine does, with the flag `u`. */
function regexProblem(find: string): string | null {
  try {
    new RegExp(find, 'u');
    return null;
  } catch (error) {
    // "Invalid regular expression: /(/u: Unterminated group"
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : String(error);
    return `${JSON.stringify(find)} is not a valid regular expression: ${reason}. To find it as text, remove "regex".`;
  }
}

function patchFaults(source: JsonSource, operation: PatchOperation, path: JsonPath): RuleFault[] {
  const pointers = Object.entries({ path: operation.path, ...('from' in operation && { from: operation.from }) });
  return pointers.flatMap(([name, pointer]) =>
    isPointer(pointer)
      ? []
      : [
          source.faultAt(
            [...path, name],
            `${JSON.stringify(pointer)} is not a JSON pointer (RFC 6901): write it like /items/0/name, with ~1 for ` +
              'a / and ~0 for a ~ in a name.',
          ),
        ],
  );
}

function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}
