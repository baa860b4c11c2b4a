import { type ReactNode, useState } from 'react';
import {
  LAB_VARIANTS,
  type LabOptions,
  type LabProgress,
  type LabVariant,
  VARIANT_NAMES,
} from '../../../shared/model/lab/lab-result.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type App, attempt, useApp, useTable, useWindow } from '../app-context.ts';
import { usePages } from '../insight/use-pages.ts';
import { DEFAULT_DRAFT, type LabDraft, type OptionsProblem, optionsOf } from './lab-draft.ts';
import { LabOutcome } from './lab-outcome.tsx';
import { LabPages } from './lab-pages.tsx';

async function measure(app: App, session: string, options: LabOptions): Promise<void> {
  const total = options.variants.length * options.rtts.length * options.runs;
  app.store.setState({ measuring: { done: 0, total, next: null }, labResult: null });
  const labResult = await attempt(app, () => app.api.request('lab.run', { session, options }));
  app.store.setState({ measuring: null, labResult });
}

/**
 * Replays a page of the shown session under other conditions, and compares. A run continues while the dialog is closed.
 */
export function LabDialog() {
  const app = useApp();
  const table = useTable();
  const measuring = useWindow((state) => state.measuring);
  const result = useWindow((state) => state.labResult);
  const [draft, setDraft] = useState(DEFAULT_DRAFT);
  const pages = usePages();
  // The latest, until one is chosen: it follows the browser from page to page.
  const page = pages?.find(({ number }) => number === draft.page) ?? pages?.at(-1);
  const checked = optionsOf(draft);
  const isReady = checked.ok && page !== undefined && measuring === null;
  const run = () => {
    if (!checked.ok || page === undefined) return;
    const { number, document } = page;
    void measure(app, table.sessionId, { ...checked.options, page: number, ...(document > 0 ? { document } : {}) });
  };
  return (
    <Dialog title="Lab" onClose={() => app.store.setState({ panel: null })}>
      <p className="muted">
        Loads a recorded page again in a browser on this machine, in each of these ways, and compares the times.
      </p>
      <LabForm draft={draft} set={setDraft} problem={checked.ok ? null : checked.problem} disabled={measuring !== null}>
        <LabPages
          pages={pages}
          chosen={page?.number ?? null}
          choose={(number) => setDraft({ ...draft, page: number })}
        />
      </LabForm>
      {measuring && <Progress progress={measuring} />}
      <div className="dialog-actions">
        {measuring && (
          <Button onClick={() => void attempt(app, () => app.api.request('lab.cancel', {}))}>Cancel</Button>
        )}
        <Button tone="primary" disabled={!isReady} onClick={run}>
          {measuring ? 'Measuring' : 'Measure'}
        </Button>
      </div>
      {result && <LabOutcome result={result} />}
    </Dialog>
  );
}

/** `next` is null while the browser starts: no load has begun. */
function Progress({ progress: { done, total, next } }: { progress: LabProgress }) {
  return (
    <div className="lab-progress">
      <progress value={done} max={total} aria-label="Loads measured" />
      <p className="muted">
        {next ? `${VARIANT_NAMES[next.variant]} at ${next.rtt} ms, ${done} of ${total} loads` : 'Starting the browser'}
      </p>
    </div>
  );
}

interface FormProps {
  draft: LabDraft;
  set: (draft: LabDraft) => void;
  /** The first thing wrong with the draft; null: it can be measured. */
  problem: OptionsProblem | null;
  /** A run is under way, with the options that it began with. */
  disabled: boolean;
  /** The choice of the page. */
  children: ReactNode;
}

/** Fields are text, because a number is often invalid while it is typed. The disabled fieldset disables all of them. */
function LabForm({ draft, set, problem, disabled, children }: FormProps) {
  const toggle = (variant: LabVariant) => {
    const others = draft.variants.filter((each) => each !== variant);
    set({ ...draft, variants: others.length < draft.variants.length ? others : [...draft.variants, variant] });
  };
  const field = (name: 'rtts' | 'bandwidth' | 'runs', label: string) => (
    <label className="field">
      {label}
      <input
        value={draft[name]}
        inputMode="decimal"
        aria-invalid={problem?.field === name}
        onChange={(event) => set({ ...draft, [name]: event.target.value })}
      />
    </label>
  );
  return (
    <fieldset className="lab-form" disabled={disabled}>
      <legend className="unseen">What to measure</legend>
      {children}
      <div className="lab-fields">
        {field('rtts', 'Round trips, ms')}
        {field('bandwidth', 'Mbit/s, 0: no limit')}
        {field('runs', 'Loads of each')}
      </div>
      <div className="lab-variants">
        {LAB_VARIANTS.map((variant) => (
          <label key={variant}>
            <input type="checkbox" checked={draft.variants.includes(variant)} onChange={() => toggle(variant)} />
            {VARIANT_NAMES[variant]}
          </label>
        ))}
      </div>
      {problem && <p className="lab-problem">{problem.sentence}</p>}
    </fieldset>
  );
}
