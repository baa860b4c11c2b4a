import type { ActionName } from '../../../../shared/model/rule/actions.ts';
import type { Rule } from '../../../../shared/model/rule/rule.ts';
import { CodeEditor } from '../../../ui/code-editor.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { type ActionsText, asView, type DraftProblem } from '../rule-draft.ts';
import { ACTION_LABELS, ACTION_NAMES } from '../rule-words.ts';
import { ActionCard } from './action-card.tsx';
import { type ActionText, textOfAction } from './action-text.ts';
import { newAction } from './new-action.ts';

const VIEWS = { form: 'Form', json: 'JSON' } as const;

interface ActionsFieldProps {
  value: ActionsText;
  /** Gets a function from the latest text to the new one: several editors change it. */
  update: (change: (before: ActionsText) => ActionsText) => void;
  /** Of the actions; null: none. */
  problem: DraftProblem | null;
  /** As it was saved. */
  rule: Rule;
}

/** The actions of a rule, one by one or as in a rules file. */
export function ActionsField({ value, update, problem, rule }: ActionsFieldProps) {
  return (
    <div className="field actions">
      <div className="action-part">
        <span aria-hidden="true">Actions</span>
        <Segments
          label="Actions shown as"
          options={VIEWS}
          value={value.view}
          onChange={(view) => update((before) => asView(before, view) ?? before)}
        />
      </div>
      {value.view === 'json' ? (
        <CodeEditor
          label="Actions"
          language="json"
          value={value.text}
          faultLine={problem?.line ?? null}
          onChange={(text) => update((before) => (before.view === 'json' ? { ...before, text } : before))}
        />
      ) : (
        <ActionList list={value.list} update={update} problem={problem} rule={rule} />
      )}
      {problem && (value.view === 'json' || problem.action === null) && (
        <small className="problem-text" role="alert">
          {problem.problem}
        </small>
      )}
    </div>
  );
}

type ActionListProps = Omit<ActionsFieldProps, 'value'> & { list: readonly ActionText[] };

function ActionList({ list, update, problem, rule }: ActionListProps) {
  const edit = (change: (list: ActionText[]) => ActionText[]) =>
    update((before) => (before.view === 'form' ? { ...before, list: change([...before.list]) } : before));
  return (
    <>
      {list.length > 0 && (
        <ol>
          {list.map((action, at) => (
            <ActionCard
              key={action.id}
              action={action}
              at={at}
              rule={rule.name}
              fault={problem?.action === at ? problem : null}
              // By its id and not its place: an editor may report a change after the action moved.
              change={(next) => edit((all) => all.map((each) => (each.id === next.id ? next : each)))}
              move={(by) => edit((all) => moved(all, at, by))}
              remove={() => edit((all) => all.filter(({ id }) => id !== action.id))}
            />
          ))}
        </ol>
      )}
      <AddAction add={(name) => edit((all) => [...all, textOfAction(newAction(name))])} />
    </>
  );
}

/** Shows its own label again after each choice. */
function AddAction({ add }: { add: (name: ActionName) => void }) {
  return (
    <select
      className="preset"
      aria-label="Add an action"
      value=""
      onChange={({ target }) => {
        const name = ACTION_NAMES.find((each) => each === target.value);
        if (name) add(name);
      }}
    >
      <option value="">Add an action…</option>
      {ACTION_NAMES.map((name) => (
        <option key={name} value={name}>
          {ACTION_LABELS[name]}
        </option>
      ))}
    </select>
  );
}

function moved(list: readonly ActionText[], at: number, by: -1 | 1): ActionText[] {
  const [one, other] = [list[at], list[at + by]];
  if (!one || !other) return [...list];
  return list.map((each, index) => (index === at ? other : index === at + by ? one : each));
}
