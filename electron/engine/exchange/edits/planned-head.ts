import type { RequestHead } from '../../http/message.ts';
import { changeRequestHead, withReadableMessages } from '../../rules/actions/change-request.ts';
import { mapRequest } from '../../rules/actions/map-to.ts';
import { noteProblem } from '../../rules/planned-change.ts';
import type { RequestPlan } from '../../rules/plans.ts';

/** The head after the rules' changes. Notes on each rule what could not be applied. */
export function plannedHead(
  { changes, fate, outcomes, readsMessages }: RequestPlan,
  arrived: RequestHead,
): RequestHead {
  let head = arrived;
  for (const { change, outcome } of changes) {
    const changed = changeRequestHead(head, change);
    noteProblem(outcome, changed.problem);
    head = changed.head;
  }
  if (readsMessages) head = withReadableMessages(head);
  if (fate === null || !('mapTo' in fate)) return head;
  const mapped = mapRequest(head, fate.mapTo);
  // A final action ends the list.
  const last = outcomes.at(-1);
  if (last) noteProblem(last, mapped.problem);
  return mapped.head;
}
