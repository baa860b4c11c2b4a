import type { LabCell, LabRequest } from '../../../shared/model/lab/lab-result.ts';
import { escapeHtml } from './escape-html.ts';

/** User units; the drawing scales to its column. */
const WIDTH = 400;
const ROW = 7;
/** The phases differ in height as well as in colour. */
const BAR = { queue: 1.5, wait: 3, receive: 5 };
/** Rows: later requests are counted below the drawing. */
const MOST_ROWS = 400;

/** A phase of a request: from one time to another, as a bar. */
function bar(kind: keyof typeof BAR, [from, to]: [number, number], row: number, scale: number): string {
  const width = Math.max((to - from) * scale, 0.5);
  const top = row * ROW + (ROW - BAR[kind]) / 2;
  return (
    `<rect class="${kind}" x="${(from * scale).toFixed(1)}" y="${top}" width="${width.toFixed(1)}" ` +
    `height="${BAR[kind]}"/>`
  );
}

function rowOf({ url, start, sent, firstByte, end }: LabRequest, row: number, scale: number): string {
  const asked = sent < 0 ? start : sent;
  const first = firstByte < 0 ? end : firstByte;
  const title = `${url}: ${Math.round(start)} to ${Math.round(end)} ms`;
  const bars = [
    ...(asked > start ? [bar('queue', [start, asked], row, scale)] : []),
    bar('wait', [asked, first], row, scale),
    bar('receive', [first, end], row, scale),
  ];
  return `<g><title>${escapeHtml(title)}</title>${bars.join('')}</g>`;
}

/** The requests of a typical load as SVG. `span`: milliseconds of the full width; `label`: for screen readers. */
export function waterfallSvg({ waterfall, time }: LabCell, span: number, label: string): string {
  const scale = WIDTH / Math.max(span, 1);
  const shown = waterfall.slice(0, MOST_ROWS);
  const height = Math.max(shown.length, 1) * ROW + 2;
  const end = (time.median * scale).toFixed(1);
  const more = waterfall.length > shown.length ? `<p>${waterfall.length - shown.length} more requests</p>` : '';
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(label)}">
${shown.map((request, row) => rowOf(request, row, scale)).join('\n')}
<line class="end" x1="${end}" x2="${end}" y1="0" y2="${height}"/></svg>${more}`;
}
