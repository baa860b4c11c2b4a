import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import type { PruneLimits } from '../../../shared/model/session/prune-limits.ts';
import type { RemovedSession, SessionEntry } from '../../../shared/model/session/session-entry.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { RunningWork } from '../../files/running-work.ts';
import { logLossOf } from '../../session/catalog/look-at-session.ts';
import { type Prunable, SessionCatalog } from '../../session/catalog/session-catalog.ts';
import { importFile, type OpenedFile } from '../../worker/import/import-runner.ts';

interface HomeOptions {
  dataFolder: string;
  threadFolder: string;
  work: RunningWork;
  list: () => Promise<SessionInfo[]>;
  open: (path: string) => Promise<SessionInfo>;
  close: (id: string) => Promise<void>;
  recordInto: (path: string) => Promise<SessionInfo>;
}

/** An opened file: its session, and what could not be imported. */
export interface OpenedAny extends Pick<OpenedFile, 'faults' | 'faultCount'> {
  session: SessionInfo;
}

/** The sessions on disk, and how to open them. */
export class SessionHome {
  readonly #options: HomeOptions;
  readonly #catalog: SessionCatalog;
  readonly #pruned: RemovedSession[] = [];
  /** Files that this process recorded into. */
  readonly #own = new Set<string>();

  constructor(options: HomeOptions) {
    this.#options = options;
    this.#catalog = new SessionCatalog(options.dataFolder);
  }

  recent(): Promise<SessionEntry[]> {
    return this.#catalog.list();
  }

  /**
   * Removes recordings that were never used, and the sessions beyond `limits`, but not `recorded`. Returns why sessions
   * beyond the limits could not be removed, and what `recorded` lost if a killed process left it.
   */
  tidy(recorded: string, limits: PruneLimits): Failure[] {
    const kept = new Set([path.resolve(recorded)]);
    this.#own.add(path.resolve(recorded));
    this.#catalog.removeUnused(kept, new Set());
    const pruned = this.#catalog.prune(limits, kept);
    this.#pruned.push(...pruned.removed);
    const loss = logLossOf(recorded);
    return loss === null ? pruned.kept : [...pruned.kept, loss];
  }

  /** Removes recordings that were never used: at the end, this run's own may be some. */
  removeUnused(): void {
    this.#catalog.removeUnused(new Set(), this.#own);
  }

  /** What `tidy` removed because of its limits. */
  pruned(): readonly RemovedSession[] {
    return this.#pruned;
  }

  /** Files of finished recordings, the newest first, and when they were changed (milliseconds since the Unix epoch). */
  finished(): { file: string; at: number }[] {
    return this.#catalog.finished();
  }

  /** The path of a session of the data folder. Throws `session.file-failed`. */
  find(file: string): string {
    return this.#catalog.find(file);
  }

  /** Open sessions with the names that their users gave them. */
  named(sessions: readonly SessionInfo[]): SessionInfo[] {
    const names = this.#catalog.names();
    return sessions.map((info) => {
      const name = names.get(path.resolve(info.path));
      return name === undefined ? info : { ...info, name };
    });
  }

  /** Throws `session.file-failed`. */
  describe(file: string, name: string, note: string): void {
    this.#catalog.describe(file, name, note);
  }

  /** Rejects with `session.file-failed`. */
  async duplicate(file: string): Promise<void> {
    await this.#options.work.run(new AbortController().signal, () => this.#catalog.duplicate(file));
  }

  /** Closes it first if it is open. Rejects with `session.file-failed`. */
  async remove(file: string): Promise<void> {
    await this.#whileClosed(file, () => this.#catalog.remove(file));
  }

  /** The sessions beyond these limits, the oldest first, but not those that are open here. */
  async prunable(limits: PruneLimits): Promise<Prunable> {
    const open = (await this.#options.list()).map((one) => path.resolve(one.path));
    return this.#catalog.prunable(limits, new Set(open));
  }

  /** Opens a session file, or imports another program's file into a new session in the data folder. */
  async openAny(
    file: string,
    onProgress: (read: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<OpenedAny> {
    const session = () => this.#catalog.newPath(path.parse(file).name);
    const { work, threadFolder } = this.#options;
    const { session: opened, ...faults } = await work.run(signal, (ending) =>
      importFile(threadFolder, file, { session, onProgress, signal: ending }),
    );
    return { session: await this.#options.open(opened), ...faults };
  }

  /**
   * Ends the current recording, and continues in this file. `notice`: what the file lost if a killed process left it.
   * Rejects with `session.open-failed`.
   */
  async record(file: string): Promise<SessionInfo> {
    const [recorded] = await this.#options.list();
    if (recorded?.path === path.resolve(file))
      throw roundtripError('session.open-failed', { path: file, detail: 'it is being recorded already' });
    return await this.#whileClosed(file, async () => {
      this.#own.add(path.resolve(file));
      // Before the recorder recovers the file: the log is then gone.
      const loss = logLossOf(path.resolve(file));
      const info = await this.#options.recordInto(path.resolve(file));
      return loss === null ? info : { ...info, notice: loss.message };
    });
  }

  /** Closes it first if it is open, and opens it again if the work fails: its user was reading it. */
  async #whileClosed<T>(file: string, work: () => T | Promise<T>): Promise<T> {
    const [, ...opened] = await this.#options.list();
    const open = opened.find((one) => path.resolve(one.path) === path.resolve(file));
    if (open) await this.#options.close(open.id);
    try {
      return await work();
    } catch (error) {
      // If that fails too, the first failure is the cause.
      if (open) await this.#options.open(open.path).catch(() => null);
      throw error;
    }
  }
}
