import { EDIT_SIZE, EDITS_SIZE, type MessageEdit, MOST_EDITS } from '../../../../shared/model/rule/message-edits.ts';
import { decodeBody } from '../../rules/codings.ts';
import { type EditableMessage, MESSAGE_LIMIT } from '../../rules/messages/stream-part.ts';
import type { ExchangeLog } from '../exchange-log.ts';
import { epochOf } from '../wall-clock.ts';

/** Records the changed messages of one exchange, in both versions, up to a size. */
export class RecordedEdits {
  readonly #log: ExchangeLog;
  #size = 0;

  constructor(log: ExchangeLog) {
    this.#log = log;
  }

  /** `after`: the new payload in the codings of the message, or `drop`. Never rejects. */
  async add(direction: MessageEdit['direction'], message: EditableMessage, after: Buffer | 'drop'): Promise<void> {
    const edits = this.#log.messageEdited();
    if (edits.kept.length >= MOST_EDITS || this.#size >= EDITS_SIZE) return;
    const at = epochOf(performance.now());
    const was = await decoded(message.payload, message);
    const is = after === 'drop' ? null : await decoded(after, message);
    const cut = Math.max(was.length, is?.length ?? 0) > EDIT_SIZE;
    const [before, sent] = [shown(was), is && shown(is)];
    this.#size += before.length + (sent?.length ?? 0);
    edits.kept.push({ direction, at, before, after: sent, cut });
    this.#log.changed();
  }
}

/** Undecoded if decoding fails. */
async function decoded(payload: Buffer, { codings }: EditableMessage): Promise<Buffer> {
  return codings.length === 0 ? payload : await decodeBody(payload, codings, MESSAGE_LIMIT).catch(() => payload);
}

function shown(payload: Buffer): string {
  return payload.subarray(0, EDIT_SIZE).toString('base64');
}
