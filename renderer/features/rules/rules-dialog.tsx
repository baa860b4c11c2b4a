import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { secondOf } from '../../../shared/format/clock.ts';
import { counted } from '../../../shared/format/counts.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import type { RuleState } from '../../../shared/model/rule/rule-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { ImportRules } from './import-rules.tsx';
import { PRESETS, ROW_PRESETS, ruleOf } from './presets.ts';
import { moveRule, removeRule, saveRule } from './rule-actions.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleGroups } from './rule-groups.tsx';
import { actionsInWords, freeName, isFinal } from './rule-words.ts';
import { ScriptConsole } from './script-console.tsx';

/**
 * The list of rules in the order in which they apply, and the form for one of them. Empty until the host has reported
 * the rules.
 */
export function RulesDialog() {
  const app = useApp();
  const state = useWindow((window) => window.rules);
  // Window state, not this dialog's: a row's menu opens the form with a draft.
  const draft = useWindow((window) => window.ruleDraft);
  const close = () => app.store.setState({ panel: null, ruleDraft: null });
  const edit = (replaces: string | null, rule: Rule) => app.store.setState({ ruleDraft: { replaces, rule } });
  if (state === null)
    return (
      <Dialog title="Rules" onClose={close}>
        {null}
      </Dialog>
    );
  if (draft) {
    return (
      <Dialog wide title={draft.replaces === null ? 'New rule' : 'Edit rule'} onClose={close}>
        <RuleForm
          rule={draft.rule}
          save={async (rule) => {
            // A refused rule keeps the form open, with its text.
            if (await saveRule(app, draft.replaces, rule)) app.store.setState({ ruleDraft: null });
          }}
          cancel={() => app.store.setState({ ruleDraft: null })}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="Rules" onClose={close}>
      <RuleList state={state} edit={edit} />
    </Dialog>
  );
}

interface RuleListProps {
  state: RuleState;
  /** Opens the form. `replaces`: the rule's name in the list; null: it is new. */
  edit: (replaces: string | null, rule: Rule) => void;
}

function RuleList({ state, edit }: RuleListProps) {
  const { rules, groupsOff } = state.rules;
  return (
    <>
      <p className="muted">
        Rules apply in this order. A final rule ends the list. The file: <code>{state.path}</code>
      </p>
      <FileFaults state={state} />
      <RuleGroups list={state.rules} />
      {rules.length === 0 ? (
        <p className="muted">No rules yet. Start with a preset, or with the menu of a row.</p>
      ) : (
        <ol className="stores rules">
          {rules.map((rule, at) => (
            // Names are unique in a list, and stay when a rule moves.
            <RuleRow
              key={rule.name}
              rule={rule}
              at={at}
              isOff={!rule.enabled || (rule.group !== undefined && groupsOff.includes(rule.group))}
              edit={() => edit(rule.name, rule)}
            />
          ))}
        </ol>
      )}
      <ScriptConsole />
      <NewRule add={(rule) => edit(null, { ...rule, name: freeName(rule.name, rules) })} />
    </>
  );
}

/** What is wrong with the rules file, and whether it is in use. Nothing if it has no fault. */
function FileFaults({ state: { problems, failure } }: { state: RuleState }) {
  if (problems.length === 0) {
    return (
      failure && (
        <p className="problem rule-faults" role="alert">
          {failure.message}
        </p>
      )
    );
  }
  const many = counted(problems.length, 'fault');
  return (
    <div className="problem rule-faults" role="alert">
      {failure
        ? `The file has ${many} and is not used. The rules before it stay in use:`
        : `The file is in use, but has ${many}:`}
      <ul aria-label="Faults of the rules file">
        {problems.map(({ line, column, message }) => (
          <li key={`${line}:${column}:${message}`}>
            Line {line}, column {column}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RuleRowProps {
  rule: Rule;
  /** Its place in the list. */
  at: number;
  /** By its own switch, or by that of its group. */
  isOff: boolean;
  edit: () => void;
}

/** One rule. Its buttons name the rule, because a screen reader reads them without their row. */
function RuleRow({ rule, at, isOff, edit }: RuleRowProps) {
  const app = useApp();
  // The switch saves at once; the host answers with the list that is in use.
  const { name, enabled, when } = rule;
  const button = (label: string, icon: React.ReactNode, run: () => void) => (
    <button type="button" className="copy" aria-label={`${label} ${name}`} title={label} onClick={run}>
      {icon}
    </button>
  );
  return (
    <li className={isOff ? 'off' : ''}>
      <input
        type="checkbox"
        checked={enabled}
        aria-label={`Use ${name}`}
        onChange={(event) => void saveRule(app, name, { ...rule, enabled: event.target.checked })}
      />
      <div>
        <b>
          {name} {isFinal(rule) && <span className="badge">final</span>}
          {rule.group !== undefined && <span className="badge">{rule.group}</span>}
        </b>
        <small>
          <code>{when === '' ? 'every exchange' : when}</code>
        </small>
        <small>{actionsInWords(rule)}</small>
        <HitCount rule={rule} />
      </div>
      {button('Move up', <ArrowUp size={14} aria-hidden="true" />, () => void moveRule(app, at, -1))}
      {button('Move down', <ArrowDown size={14} aria-hidden="true" />, () => void moveRule(app, at, 1))}
      {button('Edit', <Pencil size={14} aria-hidden="true" />, edit)}
      {button('Remove', <Trash2 size={14} aria-hidden="true" />, () => void removeRule(app, at))}
    </li>
  );
}

/** How often the rule matched since the list was loaded, and when it last did. */
function HitCount({ rule: { name, limit } }: { rule: Rule }) {
  const hits = useWindow((window) => window.engine?.ruleHits.find((one) => one.name === name));
  const most = limit === undefined ? '' : ` of at most ${limit.toLocaleString('en')}`;
  if (!hits) return <small className="muted">no match yet{most}</small>;
  const times = `${hits.hits === 1 ? '1 match' : `${hits.hits.toLocaleString('en')} matches`}${most}`;
  return (
    <small className="muted">
      {times}, last at {secondOf(new Date(hits.lastHit))}
    </small>
  );
}

/** In the order of the list. A place in it is the option's value. */
const STARTS = [...PRESETS, ...ROW_PRESETS];

/** A preset to begin with; the form opens with it. Those of a row's menu get their query there. */
function NewRule({ add }: { add: (rule: Rule) => void }) {
  const [chosen, setChosen] = useState(0);
  const preset = STARTS[chosen];
  const option = (label: string, place: number) => (
    <option key={label} value={place}>
      {label}
    </option>
  );
  return (
    <div className="dialog-actions">
      <ImportRules />
      <label className="preset-choice">
        Preset
        <select className="preset" value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
          <optgroup label="For all traffic">{PRESETS.map(({ label }, index) => option(label, index))}</optgroup>
          <optgroup label="For requests you choose">
            {ROW_PRESETS.map(({ name }, index) => option(capitalized(name), PRESETS.length + index))}
          </optgroup>
        </select>
      </label>
      <Button icon={Plus} tone="primary" onClick={() => preset && add(ruleOf(preset, ''))}>
        Add rule
      </Button>
    </div>
  );
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
