import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { BodyRange, RowPage } from '../../shared/contract/requests/exchange-requests.ts';
import type { OutputOf, WithinSession } from '../../shared/contract/requests.ts';
import type { BodySide } from '../../shared/model/body-side.ts';
import type { Comparison } from '../../shared/model/compare/comparison.ts';
import type { SessionEdit, SessionEdits } from '../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { Trial } from '../../shared/model/rule/trial.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import { columnsText } from '../session/read/columns-text.ts';
import type { SavedBody } from '../session/read/save-body.ts';
import type { ExportTask, PreviewTask, SearchJob, TrialJob } from './recording-types.ts';
import type { ComparisonJob, Opening } from './session-calls.ts';
import type { SessionFile } from './session-file.ts';

const NO_ROWS: RowPage = { columns: columnsText([]), count: 0, last: 0, more: false, badRows: 0 };
const NO_EDITS: SessionEdits = { removed: [], marks: [] };

export interface AccessOptions {
  file: SessionFile;
  /**
   * Resolves when everything that happened so far is in the file; with the id of a session that has no exchange yet.
   */
  flush: () => Promise<string | null>;
  /** The id of the session that the file must hold; null: any. */
  id: string | null;
}

/** Reads one session. Each call rejects with `session.not-open` if the file now holds another session. */
export class SessionAccess {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** The same file, as long as it holds the session `id`. */
  as(id: string): SessionAccess {
    return new SessionAccess({ ...this.#options, id });
  }

  async info(): Promise<SessionInfo> {
    const { file, id } = this.#options;
    return (await this.#empty()) ?? (await file.call('info', { session: id }));
  }

  /** What a window draws first: everything that happened before this call, with the last `rows` rows. */
  async opening(rows: number): Promise<Opening> {
    const { file, id } = this.#options;
    const session = await this.#empty();
    if (session !== null) return { session, edits: NO_EDITS, newest: NO_ROWS };
    return await file.call('opening', { rows, session: id });
  }

  async page(input: WithinSession<'exchanges.page'>): Promise<OutputOf<'exchanges.page'>> {
    const { file, id } = await this.#flushed();
    return await file.call('page', { ...input, session: id });
  }

  /** Flushes for the newest rows only: a window requests those first, and gets later changes by its feed. */
  async rows(input: WithinSession<'exchanges.rows'>): Promise<RowPage> {
    const { file, id } = this.#options;
    if (input.after === null && (await this.#empty()) !== null) return NO_ROWS;
    return await file.call('rows', { ...input, session: id });
  }

  async newest(input: WithinSession<'exchanges.newest'>): Promise<OutputOf<'exchanges.newest'>> {
    const { file, id } = await this.#flushed();
    return await file.call('newest', { ...input, session: id });
  }

  /** Rejects with `session.not-found`. */
  async exchange(exchange: number): Promise<Exchange> {
    const { file, id } = await this.#flushed();
    return await file.call('get', { id: exchange, session: id });
  }

  /** Rejects with `session.not-found`. */
  async readBody(input: WithinSession<'body.read'>): Promise<BodyRange> {
    const { file, id } = await this.#flushed();
    return await file.call('body', { ...input, session: id });
  }

  /** Rejects with `session.not-found` or `body.write-failed`. */
  async saveBody(save: WithinSession<'body.save'>, path: string): Promise<SavedBody> {
    const { file, id } = await this.#flushed();
    return await file.saveBody(save, path, id);
  }

  /** A port from which the body can be read (`PortBody`). A failed call leaves none open. */
  async bodyPort(exchange: number, side: BodySide): Promise<MessagePort> {
    const { file, id } = await this.#flushed();
    const { port1, port2 } = new MessageChannel();
    try {
      await file.call('sendBody', { id: exchange, side, port: port1, session: id }, [port1]);
      return port2;
    } catch (error) {
      port2.close();
      throw error;
    }
  }

  async messages(input: WithinSession<'messages.page'>): Promise<OutputOf<'messages.page'>> {
    const { file, id } = await this.#flushed();
    return await file.call('messages', { ...input, session: id });
  }

  /** Rejects with `session.not-found`. */
  async readMessage(input: WithinSession<'messages.read'>): Promise<OutputOf<'messages.read'>> {
    const { file, id } = await this.#flushed();
    return await file.call('message', { ...input, session: id });
  }

  async pages(): Promise<OutputOf<'insight.pages'>> {
    const { file, id } = await this.#flushed();
    return await file.call('pages', { session: id });
  }

  async connectionEnds(after: number): Promise<OutputOf<'connections.ends'>> {
    const { file, id } = await this.#flushed();
    return await file.call('connectionEnds', { session: id, after });
  }

  async findings(): Promise<OutputOf<'insight.findings'>> {
    const { file, id } = await this.#flushed();
    return await file.call('findings', { session: id });
  }

  /** Rejects with `export.failed` or `har.write-failed`, or when the job's signal aborts. */
  async export(job: ExportTask): Promise<{ exchanges: number; bytes: number; note: string | null }> {
    const { file, id } = await this.#flushed();
    return await file.export(job, id);
  }

  /** Rejects when the job's signal aborts. */
  async previewRedaction(job: PreviewTask): Promise<Omit<OutputOf<'export.preview'>, 'stopped'>> {
    const { file, id } = await this.#flushed();
    return await file.previewRedaction(job, id);
  }

  async edits(): Promise<SessionEdits> {
    const { file, id } = this.#options;
    if ((await this.#empty()) !== null) return NO_EDITS;
    return await file.call('edits', { session: id });
  }

  /** Rejects with `session.edit-failed`. */
  async edit(edit: SessionEdit): Promise<void> {
    const { file, id } = await this.#flushed();
    await file.call('edit', { edit, session: id });
  }

  /** Rejects as `searchSession` does. */
  async search(job: SearchJob): Promise<void> {
    const { file, id } = await this.#flushed();
    await file.search(job, id);
  }

  /** Rejects as `tryRule` of the session does. */
  async tryRule(job: TrialJob): Promise<Trial> {
    const { file, id } = await this.#flushed();
    return await file.tryRule(job, id);
  }

  /** With a later session, in another file. Rejects as `compareFiles` does. */
  async compare(job: ComparisonJob): Promise<Comparison> {
    const { file, id } = await this.#flushed();
    return await file.call('compare', { ...job, session: id });
  }

  /** The session, flushed, if it is known to be empty without reading it. */
  async #empty(): Promise<SessionInfo | null> {
    const { file, flush, id } = this.#options;
    const empty = await flush();
    return empty !== null && (id === null || id === empty) ? file.emptyInfo(empty) : null;
  }

  async #flushed(): Promise<AccessOptions> {
    await this.#options.flush();
    return this.#options;
  }
}
