import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { ColumnKey } from '../../state/columns.ts';
import { StatusMark } from './status-mark.tsx';

/** Protocol labels; `tunnel` is a CONNECT that was passed through. */
const PROTOCOLS = {
  'http/1.0': 'HTTP/1.0',
  'http/1.1': 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  tunnel: 'Tunnel',
  unknown: '-',
} as const;

/** How a column renders a row. Labels, widths and sorting are in state/columns.ts. */
interface Cell {
  className: (row: ExchangeSummary) => string;
  /** The tooltip: the full text of a cell that may be truncated. */
  title?: (row: ExchangeSummary) => string;
  content: (row: ExchangeSummary) => ReactNode;
}

/** `text/javascript` as `js`, `image/svg+xml` as `svg`. */
function shortType(mediaType: string): string {
  return (mediaType.split('/').at(-1) ?? '')
    .replace(/^(x-|vnd\.)/, '')
    .replace(/\+xml$/, '')
    .replace('javascript', 'js');
}

/** A path with its query in a weaker colour. */
function Path({ path }: { path: string }) {
  const mark = path.indexOf('?');
  if (mark < 0) return path;
  return (
    <>
      {path.slice(0, mark)}
      <span className="query">{path.slice(mark)}</span>
    </>
  );
}

const plain = () => '';
const muted = () => 'muted';
const number = () => 'number';

/** The cells by column, but not the waterfall. `url` is the narrow list's cell for `host` and `path`. */
export const CELLS: Record<Exclude<ColumnKey, 'waterfall'>, Cell> = {
  id: { className: () => 'number muted', content: (row) => row.id },
  method: { className: (row) => `method m-${row.method.toLowerCase()}`, content: (row) => row.method || row.kind },
  status: {
    className: plain,
    content: (row) => (
      <>
        <StatusMark row={row} />
        {row.touched > 0 && <i className="touched" role="img" aria-label="Changed by rules" title="Changed by rules" />}
        {row.replayOf > 0 && <SentAgain of={row.replayOf} />}
      </>
    ),
  },
  protocol: { className: muted, content: (row) => PROTOCOLS[row.protocol] },
  host: { className: plain, title: (row) => row.authority, content: (row) => row.authority },
  path: {
    className: () => 'path',
    title: (row) => row.path,
    // The path of a CONNECT is the authority again, which the Host column shows. The failure code is more use here.
    content: (row) => (row.method === 'CONNECT' ? (row.failureCode ?? '') : <Path path={row.path} />),
  },
  url: {
    className: () => 'path address',
    title: (row) => (row.method === 'CONNECT' ? row.path : row.authority + row.path),
    content: (row) => (
      <>
        <span className="host">{row.authority}</span>
        {row.method !== 'CONNECT' && (
          <span className="rest">
            <Path path={row.path} />
          </span>
        )}
      </>
    ),
  },
  type: { className: muted, title: (row) => row.mediaType, content: (row) => shortType(row.mediaType) },
  size: {
    className: number,
    // Before a response arrives there is no size; 0 B would look like an empty one.
    content: (row) => (row.status === 0 && row.responseSize === 0 ? '' : formatBytes(row.responseSize)),
  },
  ttfb: {
    className: number,
    // Without a response there is none; that of an imported one may be unknown.
    content: (row) => (row.ttfb < 0 && row.status === 0 ? '' : formatDuration(row.ttfb)),
  },
  total: { className: number, content: (row) => formatDuration(row.total) },
};

/** Marks a request that Roundtrip sent again. */
function SentAgain({ of }: { of: number }) {
  return (
    <i className="again" role="img" aria-label={`Sent again from #${of}`} title={`Sent again from #${of}`}>
      <RotateCw size={11} aria-hidden="true" />
    </i>
  );
}
