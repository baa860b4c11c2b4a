import type { RecordedPage } from '../page/recorded-page.ts';
import type { LabRuns } from './lab-runs.ts';

/** Examples that a note names. */
const EXAMPLES = 3;

function unansweredNote(runs: readonly LabRuns[]): string[] {
  const requests = [...new Set(runs.flatMap(({ unanswered }) => unanswered))];
  if (requests.length === 0) return [];
  const count = requests.length === 1 ? '1 request was' : `${requests.length} requests were`;
  return [`${count} not in the recording and got 404: ${requests.slice(0, EXAMPLES).join(', ')}.`];
}

const ASSUMED_304 =
  "The times of 304s that the recording does not hold are assumed: a file takes as long as its origin's fastest " +
  'response, everything else as long as its response.';

function lossyNote(loads: number): string[] {
  if (loads === 0) return [];
  const which =
    loads === 1
      ? '1 load lost responses, because a connection broke. It'
      : `${loads} loads lost responses, because a connection broke. Each`;
  return [`${which} was repeated.`];
}

/** What was not replayed, or not as recorded. `lossy`: loads that lost responses. */
export function labNotes(page: RecordedPage, runs: readonly LabRuns[], lossy: number): string[] {
  const cleartext = page.responses.some(({ scheme }) => scheme === 'http');
  return [
    ...(cleartext ? ['The page was recorded over cleartext HTTP; all variants are replayed over TLS.'] : []),
    ...page.notes,
    ...(runs.some((each) => each.case.variant === 'not-modified') ? [ASSUMED_304] : []),
    ...unansweredNote(runs),
    ...lossyNote(lossy),
  ];
}
