import { useState } from 'react';
import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { Lane, Side } from '../../../shared/insight/connections/lanes.ts';
import { Segments } from '../../ui/segments.tsx';
import { useWindow } from '../app-context.ts';
import { ConnectionList } from './connection-list.tsx';
import { useEnds } from './use-ends.ts';
import { useLanes } from './use-lanes.ts';

const SIDES: Record<Side, string> = { upstream: 'To upstream', client: 'From clients' };

/**
 * A lane for each connection: how it was opened, what it carried, when it was idle, and what reusing it saved. Each
 * side gets a new list, which begins at its top.
 */
export function ConnectionsView() {
  const [side, setSide] = useState<Side>('upstream');
  const lanes = useLanes(side);
  const ends = useEnds();
  const query = useWindow((state) => state.query);
  return (
    <main className="main connections">
      <h1 className="unseen">Connections</h1>
      <div className="connections-head">
        <Segments label="Side" options={SIDES} value={side} onChange={setSide} />
        <p>{totalsOf(lanes)}</p>
        <Legend />
      </div>
      {lanes.length === 0 ? (
        <p className="nothing">
          {query === ''
            ? 'No connection has carried an exchange yet.'
            : 'No connection carried an exchange that the filter shows.'}
        </p>
      ) : (
        <ConnectionList key={side} lanes={lanes} ends={ends} />
      )}
    </main>
  );
}

function totalsOf(lanes: readonly Lane[]): string {
  const streams = lanes.reduce((sum, lane) => sum + lane.streams.length, 0);
  const saved = lanes.reduce((sum, lane) => sum + Math.max(lane.saved, 0), 0);
  const count = `${counted(lanes.length, 'connection')}, ${counted(streams, 'exchange')}`;
  return saved > 0 ? `${count}; reuse saved ${formatDuration(saved)} of handshakes` : count;
}

/** In the order in which a connection goes through them. */
const KEYS = {
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  wait: 'Waits',
  receive: 'Receives',
  window: 'Window closed',
  ended: 'Ended',
} as const;

/** Names the colours, for users who can't distinguish them (WCAG 1.4.1). */
function Legend() {
  return (
    <ul className="connections-keys" aria-label="Colours">
      {Object.entries(KEYS).map(([kind, label]) => (
        <li key={kind}>
          <i className={kind} aria-hidden="true" /> {label}
        </li>
      ))}
    </ul>
  );
}
