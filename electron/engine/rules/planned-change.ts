import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import type { RuleOutcome } from '../../../shared/model/rule/rule.ts';
import { changesBody, editBody } from './body-changes.ts';

/** A change that a rule makes to one exchange, and the place where the exchange records it. */
export interface PlannedChange<C extends ChangeMessage = ChangeMessage> {
  change: C;
  outcome: RuleOutcome;
}

/** Adds a problem, as part of a sentence, once; null: there is none. */
export function noteProblem(outcome: RuleOutcome, problem: string | null): void {
  if (problem === null || outcome.problem?.includes(problem)) return;
  outcome.problem = outcome.problem === null ? problem : `${outcome.problem}; ${problem}`;
}

/** The changes that edit the body. */
export function bodyChanges(planned: readonly PlannedChange[]): PlannedChange[] {
  return planned.filter(({ change }) => changesBody(change));
}

/** Notes a problem with the body on each rule that edits it. */
export function noteBodyProblem(planned: readonly PlannedChange[], problem: string): void {
  for (const { outcome } of bodyChanges(planned)) noteProblem(outcome, problem);
}

/** `editBody` with the changes of a plan. Notes each problem on its rule. The new bytes; null: the body stays. */
export async function editBodyAsPlanned(
  body: Buffer,
  headers: RawHeaders,
  planned: readonly PlannedChange[],
  sent: RawHeaders,
): Promise<Buffer | null> {
  const applying = bodyChanges(planned);
  const changes = applying.map(({ change }) => change);
  const { bytes, problems } = await editBody(body, headers, changes, sent);
  for (const [index, { outcome }] of applying.entries()) noteProblem(outcome, problems[index] ?? null);
  return bytes;
}
