import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { MOST_PARALLEL, MOST_TIMES, type RepeatPace } from '../../../../shared/model/replay/composed-request.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { type App, useApp, useWindow } from '../../app-context.ts';
import { RepeatResults } from './repeat-results.tsx';
import { useRepeat } from './use-repeat.ts';

/** The fields of the form: their label, unit, and range. */
const FIELDS = {
  times: { label: 'Times', most: MOST_TIMES, least: 1 },
  parallel: { label: 'At a time', most: MOST_PARALLEL, least: 1 },
  pause: { label: 'Pause, ms', most: 3_600_000, least: 0 },
  jitter: { label: 'Jitter, ± ms', most: 3_600_000, least: 0 },
} as const;
type FieldName = keyof typeof FIELDS;
type PaceText = Record<FieldName, string>;
const NAMES = Object.keys(FIELDS) as FieldName[];

/** Digits only: `Number` would also take '1e9' and ''. */
function isGood(name: FieldName, text: string): boolean {
  const { least, most } = FIELDS[name];
  return /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** Sends a request repeatedly, and shows the results. Closing it ends the repetition. */
export function RepeatDialog() {
  const app = useApp();
  const what = useWindow((state) => state.repeat);
  const { results, running, start, stop } = useRepeat();
  // Text, not numbers: a field that is being typed in may be empty.
  const [text, setText] = useState<PaceText>({ times: '10', parallel: '1', pause: '0', jitter: '0' });
  const close = () => app.store.setState({ panel: null, repeat: null });
  if (what === null) return null;
  const pace = Object.fromEntries(NAMES.map((name) => [name, Number(text[name])])) as RepeatPace;
  const bad = NAMES.filter((name) => !isGood(name, text[name]));
  return (
    <Dialog title={`Repeat #${what.of.exchange}${what.request ? ', edited' : ''}`} wide onClose={close}>
      <PaceFields text={text} setText={setText} bad={bad} disabled={running} />
      <p className="muted">Each request is recorded. A pause, plus or minus the jitter, follows each response.</p>
      {results.length > 0 && <RepeatResults results={results} times={pace.times} />}
      <div className="dialog-actions">
        {results.some(hasRow) && (
          <Button onClick={() => showRows(app, what.of.exchange, results)}>Show these rows</Button>
        )}
        {running ? (
          <Button icon={Square} tone="primary" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            icon={Play}
            tone="primary"
            disabled={bad.length > 0}
            onClick={() => void start(what.of, what.request, pace)}
          >
            {results.length > 0 ? 'Repeat again' : 'Start'}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface PaceFieldsProps {
  text: PaceText;
  setText: (text: PaceText) => void;
  /** The fields whose text is not a number in their range. */
  bad: readonly FieldName[];
  /** A repetition is running, at the pace that it began with. */
  disabled: boolean;
}

function PaceFields({ text, setText, bad, disabled }: PaceFieldsProps) {
  return (
    <div className="repeat-pace">
      {NAMES.map((name) => (
        <TextField
          key={name}
          label={FIELDS[name].label}
          inputMode="numeric"
          value={text[name]}
          disabled={disabled}
          aria-invalid={bad.includes(name)}
          set={(typed) => setText({ ...text, [name]: typed })}
        >
          {bad.includes(name) && (
            <small className="problem-text" role="alert">
              {FIELDS[name].least} to {FIELDS[name].most}
            </small>
          )}
        </TextField>
      ))}
    </div>
  );
}

/** A request that failed before it was sent has no row. */
function hasRow({ exchange }: { exchange: number }): boolean {
  return exchange > 0;
}

/** Filters the list for these repetitions. Their ids bound the query: the same original may be repeated again. */
function showRows({ store }: App, original: number, results: ReturnType<typeof useRepeat>['results']): void {
  const ids = results.filter(hasRow).map(({ exchange }) => exchange);
  const query = `replay-of:${original} id:${Math.min(...ids)}..${Math.max(...ids)}`;
  store.setState({ panel: null, repeat: null, query, shown: null });
}
