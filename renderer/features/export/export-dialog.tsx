import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { tellSaved } from '../actions.ts';
import { attempt, useApp, useTable, useWindow } from '../app-context.ts';

/** Exports the session, or what the filter shows of it, as HAR. The host writes the file and reports progress. */
export function ExportDialog() {
  const app = useApp();
  const table = useTable();
  const exporting = useWindow((state) => state.exporting);
  const [redact, setRedact] = useState(true);
  // While a filter is active, its user means what the filter shows.
  const [shownOnly, setShownOnly] = useState(true);
  // The second choice makes sense only while something is hidden.
  const filtered = table.visible.length < table.size;
  const close = () => app.store.setState({ panel: null });
  const count = filtered && shownOnly ? table.visible.length : table.size;
  const run = async () => {
    const { query, timeWindow } = app.store.getState();
    // The host evaluates the query; an empty one selects everything.
    const selection = filtered && shownOnly ? { query, window: timeWindow } : { query: '', window: null };
    // Set here, not by the first progress event: the button has to be disabled at once.
    app.store.setState({ exporting: { written: 0, total: count } });
    const saved = await attempt(app, () =>
      app.api.request('har.export', { session: table.sessionId, ...selection, redact }),
    );
    app.store.setState({ exporting: null });
    if (!saved || saved.status === 'cancelled') return;
    tellSaved(app, saved, `HAR with ${saved.exchanges.toLocaleString('en')} exchanges`);
    close();
  };
  return (
    <Dialog title="Export HAR" onClose={close}>
      <Choice
        checked={redact}
        set={setRedact}
        label="Redact secrets"
        about="Cookies, authorization and fields whose name suggests a secret"
      />
      {filtered && (
        <Choice
          checked={shownOnly}
          set={setShownOnly}
          label="Only what is shown"
          about={`${table.visible.length.toLocaleString('en')} exchanges match the filter`}
        />
      )}
      {exporting && (
        <progress value={exporting.written} max={Math.max(1, exporting.total)} aria-label="Export progress" />
      )}
      <div className="dialog-actions">
        {exporting && (
          <Button onClick={() => void attempt(app, () => app.api.request('har.cancel', {}))}>Cancel export</Button>
        )}
        <Button tone="primary" disabled={exporting !== null} onClick={() => void run()}>
          {exporting ? 'Exporting' : `Export ${count.toLocaleString('en')} exchanges`}
        </Button>
      </div>
    </Dialog>
  );
}

/** A checkbox with a hint below its label. */
function Choice(props: { checked: boolean; set: (checked: boolean) => void; label: string; about: string }) {
  return (
    <label className="choice">
      <input type="checkbox" checked={props.checked} onChange={(event) => props.set(event.target.checked)} />
      <span>
        {props.label}
        <small>{props.about}</small>
      </span>
    </label>
  );
}
