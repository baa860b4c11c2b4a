import type { BodySide, RecordedSide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { SessionEdits, UserMark } from '../../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryRow } from '../../../shared/model/exchange-summary.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { sideCell } from '../format/body-cell.ts';
import { BodySlabs } from '../format/body-slabs.ts';
import { pushConnection, pushExchange } from '../format/exchange-cells.ts';
import { writeMessage } from '../format/message-cells.ts';
import type { WriteBatch } from '../format/writer-protocol.ts';
import type { SessionWriter } from './session-writer.ts';

/** An exchange with its bodies and messages. */
export interface WholeExchange {
  /** Its bodies' `stored` is set when their bytes are written. */
  exchange: Exchange;
  /** Null: there are no bytes to write. */
  bodies: Record<BodySide, Iterable<Uint8Array> | null> & Partial<Record<RecordedSide, Iterable<Uint8Array> | null>>;
  marks: Iterable<MessageMark>;
  /** Absent: null. */
  userMark?: UserMark | null;
}

/** Exchanges, and slabs of bodies, that are written in one transaction. */
const EXCHANGES = 500;
const SLABS = 32;
/** Connections that are remembered as written. Writing one again is harmless. */
const CONNECTIONS = 10_000;

/** Writes whole exchanges into a session file, some hundred at a time: an import, or an export. */
export class SessionFiller {
  readonly #writer: SessionWriter;
  readonly #slabs = new BodySlabs(Number.POSITIVE_INFINITY);
  readonly #written = new Set<number>();
  #batch = emptyBatch();
  #userMarks: SessionEdits['marks'] = [];
  #waiting = 0;

  constructor(writer: SessionWriter) {
    this.#writer = writer;
  }

  /** Throws `session.write-failed`. */
  add({ exchange, bodies, marks, userMark }: WholeExchange): void {
    this.#addBody(exchange.id, 'request', bodies.request, exchange.request.body);
    if (exchange.response) this.#addBody(exchange.id, 'response', bodies.response, exchange.response.body);
    for (const side of ['sent', 'received'] as const) {
      const body = exchange[side]?.body;
      if (body?.own) this.#addBody(exchange.id, side, bodies[side] ?? null, body);
    }
    this.#addConnection('client', exchange.client);
    this.#addConnection('upstream', exchange.upstream);
    for (const { connection } of exchange.attempts) this.#addConnection('upstream', connection);
    pushExchange(this.#batch, exchange, JSON.stringify(summaryRow(exchange)));
    const { messages } = this.#batch;
    for (const mark of marks) writeMessage(messages, messages.length, exchange.id, mark);
    if (userMark) this.#userMarks.push({ id: exchange.id, mark: userMark });
    this.#waiting += 1;
    if (this.#waiting >= EXCHANGES || this.#slabs.filled >= SLABS) this.flush();
  }

  /** Writes pending data. Throws `session.write-failed`. */
  flush(): void {
    const taken = this.#slabs.take();
    this.#writer.apply({ ...this.#batch, ...taken });
    this.#slabs.giveBack(taken.slabs);
    this.#batch = emptyBatch();
    this.#waiting = 0;
    if (this.#userMarks.length > 0) this.#writer.mark(this.#userMarks);
    this.#userMarks = [];
  }

  #addBody(id: number, side: RecordedSide, pieces: Iterable<Uint8Array> | null, info: { stored: number }): void {
    info.stored = 0;
    for (const piece of pieces ?? []) {
      this.#slabs.append(id, sideCell(side), info.stored, piece, false);
      info.stored += piece.length;
      // A long body needs several transactions. Its pieces are independent rows.
      if (this.#slabs.filled >= SLABS) this.flush();
    }
  }

  #addConnection(side: 'client' | 'upstream', connection: ConnectionInfo | null): void {
    if (connection === null || connection.id === 0 || this.#written.has(connection.id)) return;
    if (this.#written.size >= CONNECTIONS) this.#written.clear();
    this.#written.add(connection.id);
    pushConnection(this.#batch.connections, side, connection);
  }
}

function emptyBatch(): WriteBatch {
  return { kind: 'batch', exchanges: [], details: [], connections: [], messages: [], pieces: [], slabs: [] };
}
