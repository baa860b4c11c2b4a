import { type LabCell, type LabRequest, VARIANT_NAMES } from '../../../shared/model/lab/lab-result.ts';

/** User units; the drawing scales to its column. */
const WIDTH = 400;
const ROW = 6;
const BAR = 4;
/** Heights distinguish phases without colours (WCAG 1.4.1). */
const HEIGHTS = { blocked: BAR / 5, wait: BAR / 2, receive: BAR };
/** Rows: a dialog has no room for more, and the report shows them. */
const MOST_ROWS = 100;

/** The requests of a typical load. `span`: milliseconds of the full width. */
export function LabWaterfall({ cell, span }: { cell: LabCell; span: number }) {
  const name = VARIANT_NAMES[cell.variant];
  const shown = cell.waterfall.slice(0, MOST_ROWS).map((request, row) => ({ request, top: row * ROW + 1 }));
  const height = Math.max(shown.length, 1) * ROW + 2;
  const label = `${name} at ${cell.rtt} ms: ${cell.waterfall.length} requests in ${Math.round(cell.time.median)} ms`;
  return (
    <figure>
      <figcaption>
        {name} <span>{Math.round(cell.time.median)} ms</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
        {shown.map(({ top, request }) => (
          <Bars key={top} request={request} top={top} scale={WIDTH / span} />
        ))}
      </svg>
      {cell.waterfall.length > MOST_ROWS && <small>{cell.waterfall.length - MOST_ROWS} more requests</small>}
    </figure>
  );
}

/** A negative moment is unknown: the phase that it would end or begin shrinks to the narrowest bar, 0.5 user units. */
function Bars({ request, top, scale }: { request: LabRequest; top: number; scale: number }) {
  const { url, start, end } = request;
  const sent = request.sent < 0 ? start : request.sent;
  const firstByte = request.firstByte < 0 ? end : request.firstByte;
  const bar = (phase: keyof typeof HEIGHTS, from: number, to: number) => {
    const height = HEIGHTS[phase];
    const width = Math.max((to - from) * scale, 0.5);
    return <rect className={phase} x={from * scale} y={top + (BAR - height) / 2} width={width} height={height} />;
  };
  return (
    <g>
      <title>{`${url}: ${Math.round(start)} to ${Math.round(end)} ms`}</title>
      {bar('blocked', start, sent)}
      {bar('wait', sent, firstByte)}
      {bar('receive', firstByte, end)}
    </g>
  );
}
