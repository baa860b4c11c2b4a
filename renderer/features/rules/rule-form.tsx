import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { TryRule } from './explain/try-rule.tsx';
import { ActionsField } from './form/actions-field.tsx';
import { type RuleText, ruleFrom, textOf } from './rule-draft.ts';

interface RuleFormProps {
  rule: Rule;
  /** Gets only a valid rule. */
  save: (rule: Rule) => void;
  cancel: () => void;
}

/**
 * Edits one rule: its name, its query and its actions. Problems show as the user types. Each change
 * drops the last trial, whose result was about another rule.
 */
export function RuleForm({ rule, save, cancel }: RuleFormProps) {
  // Text, not a rule: what the user types is mostly incomplete.
  const [text, setText] = useState(() => textOf(rule));
  const first = useRef<HTMLInputElement>(null);
  // The form replaces the list in an open dialog, which has already placed its initial focus.
  useEffect(() => first.current?.focus(), []);
  const result = ruleFrom(text, rule);
  const problemOf = (field: string) => !result.ok && result.field === field && <Problem text={result.problem} />;
  const set = (change: Partial<RuleText>) => setText((before) => ({ ...before, ...change }));
  return (
    <>
      <TextField label="Name" ref={first} data-initial-focus value={text.name} set={(name) => set({ name })}>
        {problemOf('name')}
      </TextField>
      <TextField
        label="When"
        value={text.when}
        spellCheck={false}
        placeholder="Every exchange"
        set={(when) => set({ when })}
      >
        {problemOf('when') || <small>A query as in the filter box, for example host:api method:POST.</small>}
      </TextField>
      <ActionsField
        value={text.actions}
        update={(change) => setText((before) => ({ ...before, actions: change(before.actions) }))}
        problem={!result.ok && result.field === 'actions' ? result : null}
        rule={rule}
      />
      <RuleScope text={text} set={set} problem={problemOf('limit')} />
      {result.ok && <TryRule key={JSON.stringify(result.rule)} rule={result.rule} />}
      <FormActions back={cancel} isComplete={result.ok} save={() => result.ok && save(result.rule)} />
    </>
  );
}

interface RuleScopeProps {
  text: RuleText;
  set: (change: Partial<RuleText>) => void;
  /** About the limit; takes the hint's place. */
  problem: ReactNode;
}

/** The group that a rule belongs to, and how often it applies. */
function RuleScope({ text, set, problem }: RuleScopeProps) {
  return (
    <div className="rule-scope">
      <TextField label="Group" value={text.group} placeholder="None" set={(group) => set({ group })}>
        <small>Rules of a group are switched on and off together.</small>
      </TextField>
      <TextField
        label="Only the next N matches"
        value={text.limit}
        inputMode="numeric"
        placeholder="All matches"
        set={(limit) => set({ limit })}
      >
        {problem || <small>Changing the rules restarts the count.</small>}
      </TextField>
    </div>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <small className="problem-text" role="alert">
      {text}
    </small>
  );
}
