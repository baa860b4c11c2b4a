import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { CodeEditor } from '../../../ui/code-editor.tsx';
import { ACTION_LABELS, isFinalName } from '../rule-words.ts';
import { type ActionText, fieldNames, takesText } from './action-text.ts';
import { BodyTextField } from './body-text-field.tsx';
import { ScriptField } from './script-field.tsx';

export interface ActionCardProps {
  action: ActionText;
  /** From 0. */
  at: number;
  /** The rule's name as it was saved. */
  rule: string;
  fault: { problem: string; line: number | null } | null;
  change: (action: ActionText) => void;
  move: (by: -1 | 1) => void;
  remove: () => void;
}

/** One action of a rule. A screen reader reads its controls without their card: their names say which action it is. */
export function ActionCard({ action, at, rule, fault, change, move, remove }: ActionCardProps) {
  const label = ACTION_LABELS[action.name];
  const what = `${at + 1}. ${label}`;
  return (
    <li className="action">
      <div className="action-part">
        <b>{label}</b>
        {isFinalName(action.name) && <span className="badge">final</span>}
        <span className="action-tools">
          <IconButton icon={ArrowUp} label={`Move up ${what}`} title="Move up" onClick={() => move(-1)} />
          <IconButton icon={ArrowDown} label={`Move down ${what}`} title="Move down" onClick={() => move(1)} />
          <IconButton icon={Trash2} label={`Remove ${what}`} title="Remove" onClick={remove} />
        </span>
      </div>
      {action.name === 'script' && <LongText what={what} action={action} rule={rule} change={change} />}
      <Fields what={what} action={action} fault={fault} change={change} />
      {action.name !== 'script' && <LongText what={what} action={action} rule={rule} change={change} />}
    </li>
  );
}

type PartProps = Pick<ActionCardProps, 'action' | 'change'> & { what: string };

/** All fields but a long text, as JSON. A script rarely has others. */
function Fields(props: PartProps & Pick<ActionCardProps, 'fault'>) {
  const { name, fields } = props.action;
  const [isUsual] = useState(name === 'script' && fields === '{}');
  if (!isUsual) return <FieldsEditor {...props} />;
  return (
    <details className="action-options" open={props.fault !== null || undefined}>
      <summary>Options</summary>
      <FieldsEditor {...props} />
    </details>
  );
}

function FieldsEditor({ what, action, fault, change }: PartProps & Pick<ActionCardProps, 'fault'>) {
  return (
    <>
      <CodeEditor
        label={`${what}: fields`}
        language="json"
        value={action.fields}
        fewestLines={1}
        faultLine={fault?.line ?? null}
        onChange={(fields) => change({ ...action, fields })}
      />
      {fault ? (
        <small className="problem-text" role="alert">
          {fault.problem}
        </small>
      ) : (
        <small>Fields: {fieldNames(action.name).join(', ')}.</small>
      )}
    </>
  );
}

function LongText({ what, action, rule, change }: PartProps & Pick<ActionCardProps, 'rule'>) {
  if (!takesText(action)) return null;
  const { name, fields, text } = action;
  const set = (next: string | null) => change({ ...action, text: next });
  if (name === 'script') return <ScriptField label={`${what}: code`} code={text ?? ''} set={set} rule={rule} />;
  return (
    <>
      {name !== 'answer' && (
        <Choice
          label="Replace the whole body"
          hint=""
          checked={text !== null}
          set={(replaces) => set(replaces ? '' : null)}
        />
      )}
      {(name === 'answer' || text !== null) && (
        <BodyTextField label={`${what}: body`} fields={fields} body={text ?? ''} set={set} />
      )}
    </>
  );
}
