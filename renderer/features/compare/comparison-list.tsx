import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { changeInWords } from '../../../shared/compare/change-words.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { ComparedRow } from '../../../shared/model/compare/comparison.ts';
import type { ComparisonView } from '../../state/window-state.ts';
import { useApp } from '../app-context.ts';
import { showExchange, showPair } from './comparison-actions.ts';
import { type Entry, endOf, startOf } from './entries.ts';

/** CSS pixels, as in compare.css. */
const ROW_HEIGHT = 32;
/** Rows drawn beyond each edge, to avoid blanks during fast scrolling. */
const OVERSCAN = 6;

/** Signs in addition to colours, which must not carry a meaning alone (WCAG 1.4.1). */
const MARKS = { added: '+', gone: '−', changed: '~', unchanged: '=' } as const;

interface ListProps {
  view: ComparisonView;
  entries: readonly Entry[];
}

/**
 * The compared exchanges with links to both sides, and two waterfalls on one axis: that of the rows on screen. The
 * column heads are hidden from screen readers, because each link names its side.
 */
export function ComparisonList({ view, entries }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: -1 };
  const axis = axisOf(entries.slice(startIndex, endIndex + 1));
  if (entries.length === 0) return <p className="nothing">No exchanges of this kind.</p>;
  return (
    <>
      <div className="comparison-row list-heads comparison-columns" aria-hidden="true">
        <span />
        <span>Before</span>
        <span>After</span>
        <span>Request</span>
        <span>Changes</span>
        <span>Since each session's start: {formatDuration(axis.span)}</span>
      </div>
      <section ref={scroller} className="comparison-list" aria-label="Compared exchanges" tabIndex={0}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index];
            return (
              entry && (
                <li key={index} className="comparison-row" style={{ transform: `translateY(${start}px)` }}>
                  <EntryCells view={view} entry={entry} axis={axis} />
                </li>
              )
            );
          })}
        </ul>
      </section>
    </>
  );
}

/** Milliseconds since the start of each session. */
interface Axis {
  from: number;
  span: number;
}

/** From the first start to the last end. The span is at least 1 ms, because widths are divided by it. */
function axisOf(entries: readonly Entry[]): Axis {
  if (entries.length === 0) return { from: 0, span: 1 };
  const from = Math.min(...entries.map(startOf));
  return { from, span: Math.max(...entries.map(endOf), from + 1) - from };
}

/** An exchange that is in both sessions shows the later method and URL. */
function EntryCells({ view, entry, axis }: { view: ComparisonView; entry: Entry; axis: Axis }) {
  const { kind, before, after, changes } = entry;
  const row = after ?? before;
  if (row === null) return null;
  const words = changes.map((change) => changeInWords(change)).join(', ');
  return (
    <>
      <b className={`mark ${kind}`} title={kind}>
        <span aria-hidden="true">{MARKS[kind]}</span>
        <span className="unseen">{kind}</span>
      </b>
      <SideLink session={view.before} row={before} side="before" />
      <SideLink session={view.after} row={after} side="after" />
      <span className="what" title={`${row.method} ${row.url}`}>
        <b>{row.method}</b> {row.url}
      </span>
      <span className="what" title={words}>
        {before && after && words !== '' && <PairLink view={view} before={before} after={after} words={words} />}
      </span>
      <span className="lanes">
        <Bar row={before} className="before" axis={axis} />
        <Bar row={after} className="after" axis={axis} />
      </span>
    </>
  );
}

/** What changed; opens both exchanges side by side. */
function PairLink(props: { view: ComparisonView; before: ComparedRow; after: ComparedRow; words: string }) {
  const { view, before, after, words } = props;
  const app = useApp();
  return (
    <button type="button" className="link" onClick={() => showPair(app, view, before.id, after.id)}>
      {words}
    </button>
  );
}

/** Opens the exchange in its session. Status 0 means that there was no response. */
function SideLink({ session, row, side }: { session: string; row: ComparedRow | null; side: 'before' | 'after' }) {
  const app = useApp();
  if (row === null) return <span className="muted">–</span>;
  const status = row.status === 0 ? 'none' : String(row.status);
  return (
    <button
      type="button"
      className="link"
      aria-label={`${side}: exchange ${row.id}, status ${status}`}
      title={`Show exchange ${row.id}`}
      onClick={() => showExchange(app, session, row.id)}
    >
      {status}
    </button>
  );
}

/** A negative total is unknown: its bar has no width. */
function Bar({ row, className, axis }: { row: ComparedRow | null; className: string; axis: Axis }) {
  if (row === null) return null;
  const left = ((row.startedAfter - axis.from) / axis.span) * 100;
  const width = (Math.max(row.total, 0) / axis.span) * 100;
  return (
    <i
      className={className}
      style={{ left: `${left}%`, width: `${width}%` }}
      title={`${className}: ${formatDuration(row.total)}`}
    />
  );
}
