import { counted, grouped } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { EngineStatus } from '../../../shared/model/engine-status.ts';
import { selectedCount } from '../../state/row-selection.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useApp, useTable, useWindow } from '../app-context.ts';
import { BreaksEntry } from '../breaks/breaks-entry.tsx';
import { restoreAll } from '../edits/edit-actions.ts';
import { InsightEntry } from '../insight/insight-entry.tsx';

/** Labels of the engine's states. A window without a host shows Disconnected instead of the last known state. */
const STATES = { starting: 'Starting', running: 'Running', restarting: 'Restarting', failed: 'Not running' } as const;

/** The bar at the bottom: engine state, proxy address, exchange counts, recording problems, connections and memory. */
export function StatusBar() {
  const engine = useWindow((state) => state.engine);
  const connected = useWindow((state) => state.connected);
  // The last reported state may be out of date once the host is gone.
  const state = connected ? (engine?.state ?? 'starting') : 'failed';
  return (
    <footer className="status-bar">
      <span className={`engine ${state}`}>
        <i className="dot" />
        {connected ? STATES[state] : 'Disconnected'}
      </span>
      {connected && engine?.proxyUrl && (
        <span className="address">
          <code>{engine.proxyUrl}</code>
          <CopyButton text={engine.proxyUrl} label="Copy proxy address" />
        </span>
      )}
      <Counts />
      <InsightEntry />
      <BreaksEntry />
      <span className="spring" />
      {engine && connected && <Recording engine={engine} />}
      {/* Recording never slows traffic down: under pressure it drops body bytes and counts them here. */}
      {engine && engine.bytesNotKept > 0 && (
        <span className="warning" title="The disk could not keep up. Traffic was not slowed down.">
          {formatBytes(engine.bytesNotKept)} of bodies not recorded
        </span>
      )}
      {engine && connected && (
        <>
          <span className="load" title="Open connections from clients and to upstream">
            {engine.clientConnections} in · {engine.upstreamConnections} out
          </span>
          <span title="Memory use of the host process">{formatBytes(engine.memory)}</span>
        </>
      )}
    </footer>
  );
}

/** Exchanges that wait in memory for the session file, and those that were lost. */
function Recording({ engine: { recordingFailure, waiting, lost } }: { engine: EngineStatus }) {
  return (
    <>
      {recordingFailure && (
        <span className="warning bad" title={recordingFailure.message}>
          Recording stopped
          {waiting > 0 && `: ${counted(waiting, 'exchange')} waiting in memory`}
        </span>
      )}
      {lost > 0 && (
        <span
          className="warning bad"
          title="Could not be written to the session file before the buffer was full or the engine stopped"
        >
          {counted(lost, 'exchange')} lost
        </span>
      )}
    </>
  );
}

/** How many exchanges are shown, exist and failed. The failed count is a shortcut for `is:failed`. */
function Counts() {
  const { store } = useApp();
  const table = useTable();
  const recording = useWindow((state) => state.settings.recording);
  const shown = table.visible.length;
  const selected = useWindow(selectedCount);
  const text = shown === table.size ? '' : `${grouped(shown)} of `;
  return (
    <>
      <span data-testid="counts">
        {text}
        {counted(table.size, 'exchange')}
      </span>
      {selected > 1 && <span role="status">{grouped(selected)} selected</span>}
      {table.failed > 0 && (
        <button
          type="button"
          className="link bad"
          title="Show only failed exchanges"
          onClick={() => store.setState({ query: 'is:failed' })}
        >
          {grouped(table.failed)} failed
        </button>
      )}
      <RestoreRemoved />
      {!recording && <span className="warning">Paused: traffic is forwarded but not recorded</span>}
    </>
  );
}

/** The file keeps removed exchanges until the next Clear, also when this window has forgotten how to undo it. */
function RestoreRemoved() {
  const app = useApp();
  const table = useTable();
  if (table.edits.removed.length === 0) return null;
  return (
    <button
      type="button"
      className="link"
      title="Show all exchanges again that were removed or cleared"
      onClick={() => void restoreAll(app)}
    >
      Restore removed
    </button>
  );
}
