import { useState } from 'react';
import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Page, PageShare } from '../../../shared/model/insight/page.ts';
import { Button } from '../../ui/button.tsx';
import { useApp } from '../app-context.ts';
import { idsQuery } from './ids-query.ts';
import { usePages } from './use-pages.ts';

/**
 * The pages that browsers loaded, the latest first, and what one of them consists of. Until one is chosen, the latest
 * is shown: it follows the browser from page to page.
 */
export function PagesView() {
  const pages = usePages();
  const [chosen, setChosen] = useState<number | null>(null);
  const latest = [...(pages ?? [])].reverse();
  const page = latest.find(({ number }) => number === chosen) ?? latest[0];
  if (pages === null) return <p className="muted pad">Looking…</p>;
  if (page === undefined) return <p className="muted pad">No browser loaded a page in this session.</p>;
  return (
    <div className="pages">
      <ul className="side-list page-list">
        {latest.map(({ number, url, loadMs, totals, bytes }) => (
          <li key={number}>
            <button type="button" aria-current={number === page.number} onClick={() => setChosen(number)}>
              <b>{url}</b>
              <small>
                Page {number} · {formatDuration(loadMs)} · {requestsOf(totals.protocol)} · {formatBytes(bytes)}
              </small>
            </button>
          </li>
        ))}
      </ul>
      <PageDetails page={page} />
    </div>
  );
}

/** Of all its exchanges: the page has the ids of the first ones. */
function requestsOf(shares: readonly PageShare[]): string {
  return counted(
    shares.reduce((sum, { requests }) => sum + requests, 0),
    'request',
  );
}

const TOTALS = { type: 'Type', host: 'Host', protocol: 'Protocol', cache: 'Served from' } as const;

/** What a page waited for, and its requests. Their totals by kind show where to look first. */
function PageDetails({ page }: { page: Page }) {
  const { store } = useApp();
  return (
    <div className="page-details">
      <Button onClick={() => store.setState({ query: idsQuery(page.exchanges) })}>Show its requests</Button>
      <h3>Critical path</h3>
      <CriticalPath page={page} />
      <div className="page-totals">
        {(Object.keys(TOTALS) as (keyof typeof TOTALS)[]).map((key) => (
          <Totals key={key} label={TOTALS[key]} shares={page.totals[key]} />
        ))}
      </div>
    </div>
  );
}

/** A bar in words. */
function spanWords(from: number, to: number): string {
  return `From ${formatDuration(from)} to ${formatDuration(to)}`;
}

/** What the load waited for, one below the other; the gaps between bars are the browser's own time. */
function CriticalPath({ page: { criticalPath, loadMs, exchanges, initiators } }: { page: Page }) {
  const { store, table } = useApp();
  // At least 1 ms: a page without a load time would divide by zero.
  const percent = (ms: number) => `${(ms / Math.max(loadMs, 1)) * 100}%`;
  return (
    <ol className="critical-path">
      {criticalPath.map(({ id, from, to }) => {
        const initiator = initiators[exchanges.indexOf(id)] ?? 0;
        const row = table.row(id);
        return (
          <li key={id}>
            <button
              type="button"
              className="link"
              title={initiator === 0 ? undefined : `Requested by exchange ${initiator}`}
              onClick={() => store.setState({ selected: id, inspecting: true })}
            >
              {id} {row?.path ?? ''}
              {initiator > 0 && <small> by {initiator}</small>}
            </button>
            <span className="critical-track" role="img" aria-label={spanWords(from, to)}>
              <i style={{ marginLeft: percent(from), width: percent(to - from) }} />
            </span>
            <span className="number">{formatDuration(to - from)}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Totals({ label, shares }: { label: string; shares: readonly PageShare[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col" className="number">
            Requests
          </th>
          <th scope="col" className="number">
            Bytes
          </th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ name, requests, bytes }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number">{requests.toLocaleString('en')}</td>
            <td className="number">{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
