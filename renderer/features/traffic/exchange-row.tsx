import { memo } from 'react';
import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { WaterfallBar, type WaterfallScale } from './waterfall-bar.tsx';

const PROTOCOLS = { 'http/1.0': 'HTTP/1.0', 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2', tunnel: 'Tunnel' } as const;

function shortType(mediaType: string): string {
  return (mediaType.split('/').at(-1) ?? '').replace(/^(x-|vnd\.)/, '').replace('javascript', 'js');
}

function Status({ row }: { row: ExchangeSummary }) {
  if (row.state === 'aborted') return <span className="status muted">aborted</span>;
  if (row.failureCode !== null) return <span className="status failed">failed</span>;
  if (row.status === 0) return <span className="status pending">···</span>;
  return <span className={`status s${Math.floor(row.status / 100)}`}>{row.status}</span>;
}

interface RowProps {
  row: ExchangeSummary;
  top: number;
  index: number;
  selected: boolean;
  scaleFrom: number | null;
  scaleSpan: number;
  onSelect: (id: number, open: boolean) => void;
}

export const ExchangeRow = memo(function ExchangeRow(props: RowProps) {
  const { row, top, index, selected, onSelect } = props;
  const scale: WaterfallScale = { from: props.scaleFrom, span: props.scaleSpan };
  const failed = row.state === 'failed';
  return (
    // biome-ignore format: one cell a line
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid itself has the focus and takes the keys
    <div role="row" id={`row-${row.id}`} aria-rowindex={index + 2} aria-selected={selected} className={failed ? 'row failed' : 'row'} style={{ transform: `translateY(${top}px)` }} onClick={() => onSelect(row.id, true)}>
      <span role="gridcell" className="number muted">{row.id}</span>
      <span role="gridcell" className={`method m-${row.method.toLowerCase()}`}>{row.method || row.kind}</span>
      <span role="gridcell"><Status row={row} /></span>
      <span role="gridcell" className="muted">{PROTOCOLS[row.protocol]}</span>
      <span role="gridcell" title={row.authority}>{row.authority}</span>
      <span role="gridcell" className="path" title={row.path}>{failed ? <><b>{row.failureCode}</b> {row.path}</> : row.path}</span>
      <span role="gridcell" className="muted" title={row.mediaType}>{shortType(row.mediaType)}</span>
      <span role="gridcell" className="number">{row.status === 0 && row.responseSize === 0 ? '' : formatBytes(row.responseSize)}</span>
      <span role="gridcell" className="number">{row.ttfb < 0 ? '' : formatDuration(row.ttfb)}</span>
      <span role="gridcell" className="number">{row.state === 'open' ? '' : formatDuration(row.total)}</span>
      <span role="gridcell"><WaterfallBar row={row} scale={scale} /></span>
    </div>
  );
});
