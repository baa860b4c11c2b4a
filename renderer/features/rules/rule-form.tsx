import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { TryRule } from './explain/try-rule.tsx';
import { ruleFrom, textOf } from './rule-draft.ts';
import { ACTION_NAMES } from './rule-words.ts';

interface RuleFormProps {
  rule: Rule;
  /** Gets only what is a valid rule. */
  save: (rule: Rule) => void;
  cancel: () => void;
}

/**
 * Edits one rule: its name, its query, and its actions as in a rules file. Problems show as the user types. Each change
 * drops the last trial, whose result was about another rule.
 */
export function RuleForm({ rule, save, cancel }: RuleFormProps) {
  // Text, not a rule: what the user is typing is mostly not valid yet.
  const [text, setText] = useState(() => textOf(rule));
  const first = useRef<HTMLInputElement>(null);
  // A form that replaces the list in an open dialog: that dialog has placed its initial focus already.
  useEffect(() => first.current?.focus(), []);
  const result = ruleFrom(text, rule);
  const problemOf = (field: string) => !result.ok && result.field === field && <Problem text={result.problem} />;
  return (
    <>
      <TextField
        label="Name"
        ref={first}
        data-initial-focus
        value={text.name}
        set={(name) => setText({ ...text, name })}
      >
        {problemOf('name')}
      </TextField>
      <TextField
        label="When"
        value={text.when}
        spellCheck={false}
        placeholder="Every exchange"
        set={(when) => setText({ ...text, when })}
      >
        {problemOf('when') || <small>A query as in the filter box, for example host:api method:POST.</small>}
      </TextField>
      <ActionsField
        value={text.actions}
        set={(actions) => setText((before) => ({ ...before, actions }))}
        problem={problemOf('actions')}
      />
      {result.ok && <TryRule key={`${text.when} ${text.actions}`} rule={result.rule} />}
      <FormActions back={cancel} isComplete={result.ok} save={() => result.ok && save(result.rule)} />
    </>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <small className="problem-text" role="alert">
      {text}
    </small>
  );
}

interface ActionsFieldProps {
  value: string;
  set: (text: string) => void;
  /** Takes the hint's place. */
  problem: ReactNode;
}

function ActionsField({ value, set, problem }: ActionsFieldProps) {
  return (
    <div className="field">
      <span aria-hidden="true">Actions</span>
      <CodeEditor label="Actions" language="json" value={value} onChange={set} />
      {problem || <small>JSON, as in a rules file: {ACTION_NAMES.join(', ')}.</small>}
    </div>
  );
}
