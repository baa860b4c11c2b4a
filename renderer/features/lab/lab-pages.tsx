import { secondOf } from '../../../shared/format/clock.ts';
import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Page } from '../../../shared/model/insight/page.ts';

interface Props {
  /** By number; null: not read yet. */
  pages: readonly Page[] | null;
  chosen: number | null;
  choose: (number: number) => void;
}

/** The pages of the session, the latest first, of which one is measured. */
export function LabPages({ pages, chosen, choose }: Props) {
  if (pages === null) return <p className="muted">Looking for pages…</p>;
  if (pages.length === 0)
    return (
      <p className="muted">
        No browser loaded a page in this session. Load one through Roundtrip, with an empty browser cache.
      </p>
    );
  return (
    <div className="lab-pages" role="radiogroup" aria-label="Page">
      {[...pages].reverse().map(({ number, url, exchanges, bytes, loadMs, startedAt }) => (
        <label key={number}>
          <input type="radio" name="page" checked={number === chosen} onChange={() => choose(number)} />
          <b title={url}>{url}</b>
          <small>
            {/* Loads of one address differ in their time only. */}
            {secondOf(new Date(startedAt))} · {counted(exchanges.length, 'request')} · {formatBytes(bytes)} ·{' '}
            {formatDuration(loadMs)}
          </small>
        </label>
      ))}
    </div>
  );
}
