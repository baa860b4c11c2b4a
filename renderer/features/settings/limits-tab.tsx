import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { LIMIT_NAMES, LIMITS, type LimitName } from '../../../shared/model/limits.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { givenLimits, type LimitsDraft, limitsDraft, limitTextProblem, UNIT_NAMES, usualText } from './limits-draft.ts';

interface LimitRowProps {
  name: LimitName;
  /** In the form's unit, as typed; it may be invalid. */
  text: string;
  change: (text: string) => void;
}

/**
 * One limit: title and reason, input with unit, and a reset button if it differs from the default. Title, reason, range
 * and default come from shared/model/limits.ts: a new limit needs no change here.
 */
function LimitRow({ name, text, change }: LimitRowProps) {
  const { title, reason, unit } = LIMITS[name];
  const problem = limitTextProblem(name, text);
  const usual = usualText(name);
  return (
    <tr>
      <td>
        <label htmlFor={`limit-${name}`}>{title}</label>
        <small>{reason}</small>
        {problem !== null && <small className="bad">{problem}</small>}
      </td>
      <td>
        <input
          id={`limit-${name}`}
          type="text"
          inputMode="decimal"
          value={text}
          spellCheck={false}
          aria-invalid={problem !== null}
          onChange={(event) => change(event.target.value)}
        />
        <small>{UNIT_NAMES[unit]}</small>
      </td>
      <td>
        {text !== usual && (
          <IconButton
            icon={RotateCcw}
            label={`Reset ${title}`}
            title={`Reset to ${usual} ${UNIT_NAMES[unit]}`}
            onClick={() => change(usual)}
          />
        )}
      </td>
    </tr>
  );
}

/**
 * Edits the proxy's limits, and two settings that trade CPU or time for latency. Nothing applies before Save, and a
 * connection keeps the limits that it began with.
 */
export function LimitsTab({ close }: { close: () => void }) {
  const app = useApp();
  const { limits, busyPoll, retryRefused } = useWindow((state) => state.settings);
  const [draft, setDraft] = useState(() => limitsDraft(limits));
  const [awake, setAwake] = useState(busyPoll);
  const [patient, setPatient] = useState(retryRefused);
  // One invalid limit disables Save; its row shows the allowed range.
  const wrong = LIMIT_NAMES.some((name) => limitTextProblem(name, draft[name]) !== null);
  const changed = { limits: givenLimits(draft), busyPoll: awake, retryRefused: patient };
  const save = async () => (await updateSettings(app, changed)) && close();
  return (
    <>
      <p className="muted">
        Most limits close a connection that exceeds them, and its row shows why. Changes apply to new connections.
      </p>
      <div className="limits">
        <LimitTable draft={draft} setDraft={setDraft} />
        {/* Inside the scrolling area: below it, they pushed Save out of a window 800 pixels high. */}
        <Choice
          label="Busy polling"
          hint="Saves a single connection about 0.1 ms and uses one CPU core. Always off on battery."
          checked={awake}
          set={setAwake}
        />
        <Choice
          label="Retry refused connections"
          hint="Retries every refused connection for half a second, not only to servers that responded before."
          checked={patient}
          set={setPatient}
        />
      </div>
      <div className="dialog-actions">
        <Button onClick={() => setDraft(limitsDraft({}))}>Reset all</Button>
        <Button tone="primary" disabled={wrong} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </>
  );
}

function LimitTable({ draft, setDraft }: { draft: LimitsDraft; setDraft: (draft: LimitsDraft) => void }) {
  return (
    <table>
      <tbody>
        {LIMIT_NAMES.map((name) => (
          <LimitRow key={name} name={name} text={draft[name]} change={(text) => setDraft({ ...draft, [name]: text })} />
        ))}
      </tbody>
    </table>
  );
}
