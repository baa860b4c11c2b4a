import { formatBytes } from '../../../shared/format/sizes.ts';
import type { EngineStatus } from '../../../shared/model/engine-status.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useApp, useTable, useWindow } from '../app-context.ts';

const STATES = { starting: 'Starting', running: 'Running', restarting: 'Restarting', failed: 'Not running' } as const;

export function StatusBar() {
  const engine = useWindow((state) => state.engine);
  const connected = useWindow((state) => state.connected);
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
      <span className="spring" />
      {engine && connected && <Recording engine={engine} />}
      {engine && engine.bytesNotKept > 0 && (
        <span className="warning" title="The disk could not keep up; traffic went on at its own speed">
          {formatBytes(engine.bytesNotKept)} of bodies not kept
        </span>
      )}
      {engine && connected && (
        <>
          <span className="load" title="Open connections: from clients, to upstream">
            {engine.clientConnections} in · {engine.upstreamConnections} out
          </span>
          <span title="Memory of the whole host process">{formatBytes(engine.memory)}</span>
        </>
      )}
    </footer>
  );
}

function Recording({ engine: { recordingFailure, waiting, lost } }: { engine: EngineStatus }) {
  return (
    <>
      {recordingFailure && (
        <span className="warning bad" title={recordingFailure.message}>
          Recording stopped
          {waiting > 0 &&
            `: ${waiting.toLocaleString('en')} ${waiting === 1 ? 'exchange waits' : 'exchanges wait'} in memory`}
        </span>
      )}
      {lost > 0 && (
        <span
          className="warning bad"
          title="They could not be written to the session file, and the memory for them was full or the engine ended"
        >
          {lost.toLocaleString('en')} {lost === 1 ? 'exchange' : 'exchanges'} lost
        </span>
      )}
    </>
  );
}

function Counts() {
  const { store } = useApp();
  const table = useTable();
  const recording = useWindow((state) => state.settings.recording);
  const shown = table.visible.length;
  const text = shown === table.size ? '' : `${shown.toLocaleString('en')} of `;
  return (
    <>
      <span data-testid="counts">
        {text}
        {table.size.toLocaleString('en')} {table.size === 1 ? 'exchange' : 'exchanges'}
      </span>
      {table.failed > 0 && (
        <button
          type="button"
          className="link bad"
          title="Show them alone"
          onClick={() => store.setState({ query: 'is:failed' })}
        >
          {table.failed.toLocaleString('en')} failed
        </button>
      )}
      {!recording && <span className="warning">Paused: traffic passes, nothing is recorded</span>}
    </>
  );
}
