import type { RuleOutcome } from '../../../../shared/model/rule/rule.ts';
import type { ScriptMessage } from '../../../../shared/model/rule/script-call.ts';
import type { RequestHead } from '../../http/message.ts';
import type { Hold } from '../../rules/actions/break.ts';
import { editBody } from '../../rules/body-changes.ts';
import { CodedMessages } from '../../rules/messages/coded-messages.ts';
import { type EditorOutput, MessageEditor, type MessagePassage } from '../../rules/messages/message-editor.ts';
import type { EditableMessage, StreamReader } from '../../rules/messages/stream-part.ts';
import { asksForWebSocket, bodyReader, webSocketReader } from '../../rules/messages/stream-reader.ts';
import { bodyChanges, type PlannedChange } from '../../rules/planned-change.ts';
import type { RequestPlan, ResponsePlan } from '../../rules/plans.ts';
import type { PlannedScript } from '../../rules/scripts/loaded-script.ts';
import type { ScriptStage } from '../scripts/script-stage.ts';
import type { Breakpoint } from './breakpoint.ts';
import type { RecordedEdits } from './recorded-edits.ts';
import type { UpstreamRequest } from './upstream-request.ts';

/** The direction of a message. */
export type Direction = ScriptMessage['direction'];

/** Whether the request's body is a stream whose messages rules can change: over HTTP/1.1 only after an upgrade. */
export function carriesMessages({ method, headers, version }: RequestHead): boolean {
  if (asksForWebSocket(method, headers)) return true;
  return version === 'HTTP/2.0' && typeof bodyReader(headers) !== 'string';
}

/** A reader for the body of a request over HTTP/2 that carries messages. */
export function requestReader({ method, headers }: RequestHead): StreamReader | string {
  return asksForWebSocket(method, headers) ? webSocketReader() : bodyReader(headers);
}

/** What the rules of one exchange do to the messages of its stream, in both directions. */
export class StreamEdits {
  readonly #breakpoint: Breakpoint;
  readonly #changes: Record<Direction, readonly PlannedChange[]> = { 'to-server': [], 'to-client': [] };
  readonly #scripts: Record<Direction, readonly PlannedScript[]> = { 'to-server': [], 'to-client': [] };
  readonly #stage: ScriptStage;
  readonly #request: UpstreamRequest;
  readonly #record: RecordedEdits;
  readonly #outcomes: RuleOutcome[] = [];
  #hold: Hold | null = null;

  constructor(request: UpstreamRequest, breakpoint: Breakpoint, stage: ScriptStage, record: RecordedEdits) {
    this.#request = request;
    this.#breakpoint = breakpoint;
    this.#stage = stage;
    this.#record = record;
  }

  takeRequest({ changes, messageScripts, messageHold, outcomes }: RequestPlan): void {
    this.#changes['to-server'] = bodyChanges(changes);
    this.#scripts['to-server'] = messageScripts;
    this.#hold = messageHold;
    this.#outcomes.push(...outcomes);
  }

  takeResponse({ changes, messageScripts, outcomes }: ResponsePlan): void {
    this.#changes['to-client'] = bodyChanges(changes);
    this.#scripts['to-client'] = messageScripts;
    this.#outcomes.push(...outcomes);
  }

  touches(direction: Direction): boolean {
    return this.#hold !== null || this.#changes[direction].length > 0 || this.#scripts[direction].length > 0;
  }

  /** `reader`: or why the stream cannot be read. Null: its bytes pass untouched. */
  editor(direction: Direction, reader: StreamReader | string, output: EditorOutput): MessagePassage | null {
    if (!this.touches(direction)) return null;
    const problem = (sentence: string) => this.#problem(direction, sentence);
    if (typeof reader === 'string') {
      problem(reader);
      return null;
    }
    const edits = { edit: (message: EditableMessage) => this.#recorded(direction, message), problem };
    if (reader.coding) return new CodedMessages(reader, reader.coding, edits, output);
    return new MessageEditor(reader, edits, output);
  }

  async #recorded(direction: Direction, message: EditableMessage): Promise<Buffer | null | 'drop'> {
    const edited = await this.#edit(direction, message);
    const isChanged = edited === 'drop' || (edited !== null && !edited.equals(message.payload));
    if (isChanged) await this.#record.add(direction, message, edited);
    return edited;
  }

  async #edit(direction: Direction, message: EditableMessage): Promise<Buffer | null | 'drop'> {
    const changes = this.#changes[direction];
    let payload: Buffer | null = null;
    if (changes.length > 0) {
      const edits = changes.map(({ change }) => change);
      const { bytes, problems } = await editBody(message.payload, message.codings, edits);
      // Of many messages, the first with a problem stands for the others.
      for (const [index, { outcome }] of changes.entries()) outcome.problem ??= problems[index] ?? null;
      if (bytes !== null && !bytes.equals(message.payload)) payload = bytes;
    }
    const scripts = this.#scripts[direction];
    if (scripts.length > 0) {
      const given = { ...message, payload: payload ?? message.payload };
      const scripted = await this.#stage.message(scripts, this.#request.head, direction, given);
      if (scripted === 'drop') return scripted;
      payload = scripted ?? payload;
    }
    // A client that has disconnected does not receive what the server still sends.
    if (this.#hold === null || this.#breakpoint.hasClientLeft) return payload;
    if (!this.#breakpoint.opens(this.#outcomes)) return payload;
    const shown = message.codings.length > 0 ? 'it is compressed' : (payload ?? message.payload);
    const decided = await this.#breakpoint.message(this.#hold, direction, shown);
    return decided ?? payload;
  }

  /** Notes a problem on each rule that concerns the messages of this direction. */
  #problem(direction: Direction, problem: string): void {
    const scripting = new Set(this.#scripts[direction].map(({ rule }) => rule));
    const outcomes = this.#outcomes.filter(
      ({ name, actions }) =>
        (actions.includes('script') && scripting.has(name)) || (actions.includes('break') && this.#hold?.rule === name),
    );
    for (const { outcome } of this.#changes[direction]) outcomes.push(outcome);
    for (const outcome of outcomes) outcome.problem ??= problem;
  }
}
