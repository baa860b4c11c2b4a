import { useCallback, useState } from 'react';
import { counted } from '../../../shared/format/counts.ts';
import {
  EXPORT_FORMAT_INFO,
  EXPORT_FORMAT_NAMES,
  type ExportFormatName,
} from '../../../shared/model/export/export-format.ts';
import { selectedIds } from '../../state/row-selection.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Segments } from '../../ui/segments.tsx';
import { tellSaved } from '../actions.ts';
import { type App, attempt, useApp, useTable, useWindow } from '../app-context.ts';
import {
  choiceOf,
  type Listed,
  likelyScope,
  patternsOf,
  requestChosen,
  type Scope,
  scopesOf,
} from './export-choice.ts';
import { RedactionPreview } from './redaction-preview.tsx';
import { usePreview } from './use-preview.ts';

const FORMATS = Object.fromEntries(EXPORT_FORMAT_NAMES.map((name) => [name, EXPORT_FORMAT_INFO[name].label])) as Record<
  ExportFormatName,
  string
>;

const SCOPES: Record<Scope, string> = {
  all: 'All exchanges',
  shown: 'Only what is shown',
  selected: 'Only selected rows',
};

/** Computed at the time of a request: the list grows while the dialog is open. */
function listed({ store, table }: App): Listed {
  const state = store.getState();
  const { sessionId: session, size, visible } = table;
  return { session, size, visible, selected: selectedIds(state) };
}

/** What the form holds, and what follows from it. */
function useExportForm() {
  const app = useApp();
  const [format, setFormat] = useState<ExportFormatName>('har');
  const [scope, setScope] = useState<Scope>(() => likelyScope(listed(app)));
  const [redact, setRedact] = useState(true);
  const [text, setText] = useState('');
  // The preview follows when the field is left, not with each key.
  const [previewed, setPreviewed] = useState('');
  const scopes = scopesOf(listed(app));
  const { patterns, bad } = patternsOf(text);
  const choose = useCallback(() => {
    const choice = redact ? choiceOf(scope, listed(app)) : null;
    const previewable = patternsOf(previewed);
    return choice && previewable.bad === null ? { ...choice, format, patterns: previewable.patterns } : null;
  }, [app, format, scope, redact, previewed]);
  const preview = usePreview(choose);
  const count = scopes.find((each) => each.scope === scope)?.count ?? app.table.size;
  const order: Order = { format, scope, redact, patterns: redact ? patterns : [], count };
  const showPreview = () => setPreviewed(text);
  return { order, setFormat, scopes, setScope, setRedact, text, setText, bad, preview, showPreview };
}

/** Exports the session or a part of it, in any format. The host writes the file and reports progress. */
export function ExportDialog() {
  const app = useApp();
  // The counts follow the list, which grows while the dialog is open.
  useTable();
  const form = useExportForm();
  const { order, bad } = form;
  const { format, scope, redact } = order;
  return (
    <Dialog title="Export" onClose={() => app.store.setState({ panel: null })}>
      <Segments label="Format" options={FORMATS} value={format} onChange={form.setFormat} />
      <Scopes scopes={form.scopes} scope={scope} setScope={form.setScope} />
      <Choice
        label="Redact secrets"
        hint="Cookies, authorization, fields whose name suggests a secret, and the same values elsewhere"
        checked={redact}
        set={form.setRedact}
      />
      {redact && (
        <TextArea
          label="Also replace what matches"
          className="code-input"
          rows={2}
          placeholder="A regular expression on each line"
          value={form.text}
          aria-invalid={bad !== null}
          set={form.setText}
          onBlur={form.showPreview}
        >
          {bad !== null && <small className="bad">{bad} is not a regular expression</small>}
        </TextArea>
      )}
      {redact && bad === null && <RedactionPreview preview={form.preview} />}
      <ExportActions order={order} blocked={redact && bad !== null} />
    </Dialog>
  );
}

/**
 * Progress is the window's state: an export continues while the dialog is closed, and can be cancelled when it is
 * reopened.
 */
function ExportActions({ order, blocked }: { order: Order; blocked: boolean }) {
  const app = useApp();
  const exporting = useWindow((state) => state.exporting);
  return (
    <>
      {exporting && (
        <progress value={exporting.written} max={Math.max(1, exporting.total)} aria-label="Export progress" />
      )}
      <div className="dialog-actions">
        {exporting && (
          <Button onClick={() => void attempt(app, () => app.api.request('har.cancel', {}))}>Cancel export</Button>
        )}
        <Button tone="primary" disabled={exporting !== null || blocked} onClick={() => void runExport(app, order)}>
          {exporting ? 'Exporting' : `Export ${exchanges(order.count)}`}
        </Button>
      </div>
    </>
  );
}

function exchanges(count: number): string {
  return counted(count, 'exchange');
}

interface ScopesProps {
  scopes: ReturnType<typeof scopesOf>;
  scope: Scope;
  setScope: (scope: Scope) => void;
}

/** There is no choice while everything is shown and nothing is selected. */
function Scopes({ scopes, scope, setScope }: ScopesProps) {
  if (scopes.length === 1) return null;
  return (
    <fieldset className="export-scopes">
      <legend>Exchanges</legend>
      {scopes.map((each) => (
        <label key={each.scope} className="choice">
          <input type="radio" name="scope" checked={each.scope === scope} onChange={() => setScope(each.scope)} />
          <span>{SCOPES[each.scope]}</span>
          <span className="number">{each.count.toLocaleString('en')}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What the button exports. `count` is for its label and the first progress; the host counts what it writes. */
interface Order {
  format: ExportFormatName;
  scope: Scope;
  redact: boolean;
  patterns: string[];
  count: number;
}

async function runExport(app: App, { scope, count, ...how }: Order): Promise<void> {
  const choice = choiceOf(scope, listed(app));
  // Set here, not by the first progress event: the button has to be disabled at once.
  app.store.setState({ exporting: { written: 0, total: count } });
  const saved = await attempt(app, () => requestChosen(app.api, 'session.export', { ...choice, ...how }));
  app.store.setState({ exporting: null });
  if (!saved || saved.status === 'cancelled') return;
  tellSaved(app, saved, `${FORMATS[how.format]} with ${exchanges(saved.exchanges)}`);
  app.store.setState({ panel: null });
}
