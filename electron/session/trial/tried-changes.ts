import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { BodyInfo, RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { Action, ChangeMessage } from '../../../shared/model/rule/actions.ts';
import type { TrialDiff, TrialHit } from '../../../shared/model/rule/trial.ts';
import type { Framing, HttpVersion, RequestHead, ResponseHead } from '../../engine/http/message.ts';
import { localResponse } from '../../engine/rules/actions/answer.ts';
import { changeRequestHead } from '../../engine/rules/actions/change-request.ts';
import { changeResponseHead } from '../../engine/rules/actions/change-response.ts';
import { mapRequest } from '../../engine/rules/actions/map-to.ts';
import { changesBody, editBody, textOf } from '../../engine/rules/body-changes.ts';
import { decodeBody } from '../../engine/rules/codings.ts';

/** The largest body that a diff shows, bytes, recorded and decoded. */
const SMALL = 8 * 1024;

type Changes = Pick<TrialHit, 'diffs' | 'problem'>;
type Pieces = (side: BodySide) => Uint8Array[];

/** What a rule's actions would change of an exchange. Rejects for a file that can't be read. */
export async function changesOf(exchange: Exchange, actions: readonly Action[], pieces: Pieces): Promise<Changes> {
  const request = await triedRequest(exchange.request, actions, pieces);
  const answer = actions.find((action) => 'answer' in action);
  // What upstream sent, if rules changed it then.
  const recorded = exchange.received ?? exchange.response;
  const before = recorded && { ...recorded, body: exchange.response?.body ?? recorded.body };
  const response = answer
    ? await answered(await localResponse(answer.answer, request.head), before, pieces)
    : await triedResponse(before, actions, pieces);
  return { diffs: [...request.diffs, ...response.diffs], problem: request.problem ?? response.problem };
}

async function triedRequest(message: RequestMessage, actions: readonly Action[], pieces: Pieces) {
  const original = requestHead(message);
  const changes = actions.flatMap((action) => ('changeRequest' in action ? [action.changeRequest] : []));
  let head = original;
  let problem: string | null = null;
  for (const change of changes) {
    const changed = changeRequestHead(head, change);
    head = changed.head;
    problem ??= changed.problem;
  }
  for (const action of actions) if ('mapTo' in action) head = mapRequest(head, action.mapTo);
  const body = await triedBody(message, changes, () => pieces('request'));
  const diffs = diffOf('request', [...requestLines(original), ...body.before], [...requestLines(head), ...body.after]);
  return { head, diffs, problem: problem ?? body.problem };
}

async function triedResponse(
  message: ResponseMessage | null,
  actions: readonly Action[],
  pieces: Pieces,
): Promise<Changes> {
  const changes = actions.flatMap((action) => ('changeResponse' in action ? [action.changeResponse] : []));
  if (message === null || changes.length === 0) return { diffs: [], problem: null };
  const original = responseHead(message);
  const head = changes.reduce(changeResponseHead, original);
  const body = await triedBody(message, changes, () => pieces('response'));
  const before = [...responseLines(original), ...body.before];
  return { diffs: diffOf('response', before, [...responseLines(head), ...body.after]), problem: body.problem };
}

async function answered(
  { head, body }: Awaited<ReturnType<typeof localResponse>>,
  message: ResponseMessage | null,
  pieces: Pieces,
): Promise<Changes> {
  const bytes = body === null ? Buffer.alloc(0) : await smallOf(body);
  const after = [...responseLines(head), ...bodyLines(bytes)];
  if (message === null) return { diffs: diffOf('response', [], after), problem: null };
  const recorded = await recordedBody(message, () => pieces('response'));
  return { diffs: diffOf('response', [...responseLines(message), ...bodyLines(recorded)], after), problem: null };
}

/** The whole content; null: it is not small. */
async function smallOf(body: NodeJS.ReadableStream & { destroy(): unknown }): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(Buffer.from(part));
    size += part.length;
    if (size <= SMALL) continue;
    body.destroy();
    return null;
  }
  return Buffer.concat(parts);
}

interface TriedBody {
  before: string[];
  after: string[];
  problem: string | null;
}

/** Lines of a body before and after its changes; none if nothing changes it. */
async function triedBody(
  message: RequestMessage | ResponseMessage,
  all: readonly ChangeMessage[],
  pieces: () => Uint8Array[],
): Promise<TriedBody> {
  const changes = all.filter(changesBody);
  if (changes.length === 0) return { before: [], after: [], problem: null };
  const bytes = await recordedBody(message, pieces);
  if (bytes === null)
    return { before: [], after: [], problem: 'the change of the body is not shown: it is large, or not on record' };
  const edited = await editBody(bytes, [], changes);
  return { before: bodyLines(bytes), after: bodyLines(edited.bytes), problem: edited.problem };
}

/** A small recorded body, decoded; null: it is not small, not whole, or cannot be decoded. */
async function recordedBody(
  { body, headers }: { body: BodyInfo; headers: RawHeaders },
  pieces: () => Uint8Array[],
): Promise<Buffer | null> {
  if (!body.complete || body.stored < body.size || body.stored > SMALL) return null;
  const bytes = Buffer.concat(pieces());
  if (body.decoded) return bytes;
  return await decodeBody(bytes, headers, SMALL).catch(() => null);
}

function bodyLines(bytes: Buffer | null): string[] {
  if (bytes === null) return ['', 'A body that is too large to show'];
  return bytes.length === 0 ? [] : ['', ...textOf(bytes).text.split('\n')];
}

/** Empty if both are the same. */
function diffOf(side: BodySide, before: string[], after: string[]): TrialDiff[] {
  return before.join('\n') === after.join('\n') ? [] : [{ side, before, after }];
}

function fieldLines(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${name}: ${value}`);
}

function requestLines({ method, scheme, authority, path, headers }: RequestHead): string[] {
  return [`${method} ${scheme}://${authority}${path}`, ...fieldLines(headers)];
}

function responseLines({ status, headers }: Pick<ResponseHead, 'status' | 'headers'>): string[] {
  return [String(status), ...fieldLines(headers)];
}

/** Recorded sessions may hold versions that the engine does not speak. */
function versionOf(httpVersion: string): HttpVersion {
  return httpVersion === 'HTTP/2.0' || httpVersion === 'HTTP/1.0' ? httpVersion : 'HTTP/1.1';
}

function common({ body, headers, headSize, httpVersion }: RequestMessage | ResponseMessage) {
  const framing: Framing = body.size > 0 ? { kind: 'length', length: body.size } : { kind: 'none' };
  return { headers, framing, version: versionOf(httpVersion), size: headSize, wire: null, keepAlive: true };
}

function requestHead(message: RequestMessage): RequestHead {
  const { method, scheme, authority, host, port, path } = message;
  return { ...common(message), method, scheme, authority, host, port, path, upgrade: false };
}

function responseHead(message: ResponseMessage): ResponseHead {
  return { ...common(message), status: message.status, statusText: message.statusText };
}
