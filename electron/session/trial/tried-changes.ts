import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { Answer, ChangeResponse } from '../../../shared/model/rule/actions.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import type { RunScript } from '../../../shared/model/rule/script-call.ts';
import type { TrialHit } from '../../../shared/model/rule/trial.ts';
import type { RequestHead, ResponseHead } from '../../engine/http/message.ts';
import { localResponse } from '../../engine/rules/actions/answer.ts';
import { type ChangedRequest, changeRequestHead } from '../../engine/rules/actions/change-request.ts';
import { changeResponseHead } from '../../engine/rules/actions/change-response.ts';
import { type Effect, effectOf } from '../../engine/rules/actions/effect.ts';
import { mapRequest } from '../../engine/rules/actions/map-to.ts';
import { bodilessProblem, changesBody } from '../../engine/rules/body-changes.ts';
import {
  bodyDiff,
  bodyLines,
  editedBody,
  joined,
  type RecordedBodies,
  recordedBody,
  replacedLines,
  smallOf,
} from './tried-body.ts';
import { diffOf, requestHead, requestLines, responseHead, responseLines, trailerLines } from './tried-lines.ts';
import { TriedScripts } from './tried-scripts.ts';
import { triedTrailers } from './tried-trailers.ts';

type Changes = Pick<TrialHit, 'diffs' | 'problem' | 'console'>;
type Diffs = Pick<Changes, 'diffs' | 'problem'>;

/** What a trial needs besides the exchange. */
export interface TrialParts {
  bodies: RecordedBodies;
  run: RunScript;
}

/** What a rule would change in an exchange. Rejects for a file that can't be read. */
export async function changesOf(exchange: Exchange, rule: Rule, { bodies, run }: TrialParts): Promise<Changes> {
  const effects = rule.do.map(effectOf);
  const scripts = new TriedScripts(rule, run);
  scripts.skipMessages(exchange);
  const before = arrivedResponse(exchange);
  const final = effects.find(({ answer }) => answer)?.answer ?? null;
  const request = await triedRequest(exchange.request, effects, bodies, final === null ? scripts : null);
  const answer = final ?? request.answer;
  const response = answer
    ? await answered(answer, before, bodies, { effects, scripts, request: request.head })
    : await triedResponse(before, effects, bodies, { scripts, request: request.head });
  return {
    diffs: [...request.diffs, ...response.diffs],
    problem: joined([request.problem, response.problem, scripts.problem]),
    console: scripts.console,
  };
}

/** A recorded response, and which of the recorded bodies is its own. */
interface ArrivedResponse {
  message: ResponseMessage;
  side: RecordedSide;
}

/** What upstream sent, also where rules changed it then. Null: there was no response. */
function arrivedResponse({ received, response }: Exchange): ArrivedResponse | null {
  if (received?.body.own) return { message: received, side: 'received' };
  const message = received ?? response;
  return message && { message: { ...message, body: response?.body ?? message.body }, side: 'response' };
}

/** `scripts`: null if a rule answers before any runs. */
async function triedRequest(
  message: RequestMessage,
  effects: readonly Effect[],
  bodies: RecordedBodies,
  scripts: TriedScripts | null,
): Promise<Diffs & { head: RequestHead; answer: Answer | null }> {
  const original = requestHead(message);
  const changes = effects.flatMap(({ changeRequest }) => changeRequest ?? []);
  let head = original;
  const problems: (string | null)[] = [];
  const apply = (result: ChangedRequest): void => {
    head = result.head;
    problems.push(result.problem);
  };
  for (const change of changes) apply(changeRequestHead(head, change));
  for (const { mapTo } of effects) if (mapTo) apply(mapRequest(head, mapTo));
  const recorded = await recordedBody(message, 'request', bodies);
  const changed = { head, body: await editedBody(recorded, message, changes, head.headers) };
  const ended = scripts ? await scripts.request(changed) : changed;
  if ('answer' in ended) return { head, diffs: [], problem: joined(problems), answer: ended.answer };
  const body = await bodyDiff(ended.body, { before: message.headers, after: ended.head.headers });
  const { trailers } = message;
  const hasBody = message.body.size !== 0;
  const last = triedTrailers({ head: ended.head, trailers, hasBody, isEdited: ended.body.after !== null }, changes);
  const before = [...requestLines(original), ...body.before, ...trailerLines(trailers)];
  const after = [...requestLines(last.head), ...body.after, ...trailerLines(last.trailers)];
  const diffs = diffOf('request', before, after);
  return { head: last.head, diffs, problem: joined([...problems, body.problem, last.problem]), answer: null };
}

async function triedResponse(
  arrived: ArrivedResponse | null,
  effects: readonly Effect[],
  bodies: RecordedBodies,
  { scripts, request }: { scripts: TriedScripts; request: RequestHead },
): Promise<Diffs> {
  if (arrived === null) return { diffs: [], problem: null };
  const { message, side } = arrived;
  const changes = changesOfResponse(effects);
  const original = responseHead(message);
  const changed = changedResponseHead(original, changes, request);
  const bodiless = bodilessProblem(request.method, changed.head.status);
  const edits = bodiless === null ? changes : [];
  const recorded = await recordedBody(message, side, bodies);
  const tried = { head: changed.head, body: await editedBody(recorded, message, edits, changed.head.headers) };
  const { head, body: last } = await scripts.response(request, tried);
  const body = await bodyDiff(last, { before: message.headers, after: head.headers });
  const { trailers } = message;
  const hasBody = bodilessProblem(request.method, head.status) === null;
  const ended = triedTrailers({ head, trailers, hasBody, isEdited: last.after !== null }, changes);
  const before = [...responseLines(original), ...body.before, ...trailerLines(trailers)];
  const after = [...responseLines(ended.head), ...body.after, ...trailerLines(ended.trailers)];
  return {
    diffs: diffOf('response', before, after),
    problem: joined([...changed.problems, changes.some(changesBody) ? bodiless : null, body.problem, ended.problem]),
  };
}

/** The rule's changes of responses apply to a script's response too. */
async function answered(
  answer: Answer,
  arrived: ArrivedResponse | null,
  bodies: RecordedBodies,
  { effects, scripts, request }: { effects: readonly Effect[]; scripts: TriedScripts; request: RequestHead },
): Promise<Diffs> {
  const made = await localResponse(answer, request);
  const bytes = made.body === null ? Buffer.alloc(0) : await smallOf(made.body);
  const changes = changesOfResponse(effects);
  const changed = changedResponseHead(made.head, changes, request);
  const tried = { head: changed.head, body: await editedBody(bytes, made.head, changes, changed.head.headers) };
  const { head, body } = await scripts.response(request, tried);
  const before = arrived
    ? [...responseLines(arrived.message), ...(await replacedLines(arrived.message, arrived.side, bodies))]
    : [];
  const after = [...responseLines(head), ...bodyLines(body.after ?? body.before)];
  return { diffs: diffOf('response', before, after), problem: joined([...changed.problems, body.problem]) };
}

function changedResponseHead(original: ResponseHead, changes: readonly ChangeResponse[], request: RequestHead) {
  let head = original;
  const problems: (string | null)[] = [];
  for (const change of changes) {
    const changed = changeResponseHead(head, change, request);
    head = changed.head;
    problems.push(changed.problem);
  }
  return { head, problems };
}

function changesOfResponse(effects: readonly Effect[]): ChangeResponse[] {
  return effects.flatMap(({ changeResponse }) => changeResponse ?? []);
}
