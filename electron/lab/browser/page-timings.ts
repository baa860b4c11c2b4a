import * as v from 'valibot';
import type { LabRequest } from '../../../shared/model/lab/lab-result.ts';

const EntrySchema = v.object({
  name: v.string(),
  startTime: v.number(),
  requestStart: v.number(),
  responseStart: v.number(),
  responseEnd: v.number(),
  transferSize: v.number(),
});
const PageSchema = v.object({ entries: v.array(EntrySchema), loadEventEnd: v.number() });

/** The duration of a load. */
export interface PageTimings {
  /** Milliseconds from the navigation's start to the last response or the end of the load event. */
  time: number;
  /** Mean of the requests' times to first byte, milliseconds. */
  ttfb: number;
  requests: LabRequest[];
}

/** An expression for the page: its timings as JSON (Resource Timing, Navigation Timing). */
export const TIMINGS_EXPRESSION = `JSON.stringify({
  entries: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
    ({ name, startTime, requestStart, responseStart, responseEnd, transferSize }) =>
      ({ name, startTime, requestStart, responseStart, responseEnd, transferSize })),
  loadEventEnd: performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? 0,
})`;

function requestOf(entry: v.InferOutput<typeof EntrySchema>): LabRequest {
  const known = (time: number): number => (time > 0 ? time : -1);
  return {
    url: entry.name,
    start: entry.startTime,
    sent: known(entry.requestStart),
    firstByte: known(entry.responseStart),
    end: entry.responseEnd,
    size: entry.transferSize,
  };
}

/** Reads the value of TIMINGS_EXPRESSION. Throws if it has another shape. */
export function pageTimings(json: string): PageTimings {
  const { entries, loadEventEnd } = v.parse(PageSchema, JSON.parse(json));
  const requests = entries.map(requestOf).toSorted((one, other) => one.start - other.start);
  const waits = requests
    .filter(({ sent, size }) => sent >= 0 && size > 0)
    .map(({ sent, firstByte }) => firstByte - sent);
  return {
    time: requests.reduce((latest, { end }) => Math.max(latest, end), loadEventEnd),
    ttfb: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(waits.length, 1),
    requests,
  };
}
