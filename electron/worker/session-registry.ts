import path from 'node:path';
import type { Failure } from '../../shared/model/failure.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import { roundtripError } from '../failures/errors.ts';
import { withoutLinks } from '../session/format/without-links.ts';
import { SessionAccess } from './session-access.ts';
import { SessionFile } from './session-file.ts';

interface OpenSession {
  info: SessionInfo;
  file: SessionFile;
  access: SessionAccess;
}

export interface RegistryOptions {
  /** The folder of the threads' bundles. */
  threadFolder: string;
  /** The session that is being recorded. */
  recorded: SessionAccess;
  /** A session was opened or closed. `sessions`: what `list` now returns. */
  onChange: (sessions: SessionInfo[]) => void;
  /** A thread that reads an open session died. */
  onFailure: (failure: Failure) => void;
}

/** The sessions that can be read: the recorded one and any number of others, each with its own thread. */
export class SessionRegistry {
  readonly #options: RegistryOptions;
  readonly #open = new Map<string, OpenSession>();
  /** Serializes `open`: a second call for the same file finds it open. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /**
   * Returns a session by its id. An unknown id is assumed to be the recorded session's: the reader compares it with the
   * id in the file and rejects with `session.not-open` if they differ. The registry keeps no copy of the id: it could
   * be out of date.
   */
  of(id: string): SessionAccess {
    return this.#open.get(id)?.access ?? this.#options.recorded.as(id);
  }

  /** The recorded session first, then the others in the order of opening. */
  async list(): Promise<SessionInfo[]> {
    return [await this.#options.recorded.info(), ...[...this.#open.values()].map(({ info }) => info)];
  }

  /**
   * Opens a session file for reading. Does not open a file twice, nor the recorded one. Rejects with
   * `session.open-failed`, or with `session.open-already` for a copy of an open session.
   */
  open(sessionPath: string): Promise<SessionInfo> {
    const opened = this.#opening.then(() => this.#openNow(path.resolve(sessionPath)));
    this.#opening = opened.catch(() => null);
    return opened;
  }

  async #openNow(wanted: string): Promise<SessionInfo> {
    const place = withoutLinks(wanted);
    const known = (await this.list()).find((info) => withoutLinks(path.resolve(info.path)) === place);
    if (known) return known;
    const { threadFolder, onFailure, onChange } = this.#options;
    const file = new SessionFile(threadFolder, wanted, onFailure);
    try {
      const info = await file.call('info', { session: null });
      const sameId = (await this.list()).find(({ id }) => id === info.id);
      if (sameId) throw roundtripError('session.open-already', { path: wanted, other: sameId.path });
      const access = new SessionAccess({ file, flush: async () => null, id: info.id });
      this.#open.set(info.id, { info, file, access });
      onChange(await this.list());
      return info;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Rejects with `session.not-open`, also for the session that is being recorded. */
  async close(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (open === undefined) throw roundtripError('session.not-open', {});
    this.#open.delete(id);
    await open.file.close();
    this.#options.onChange(await this.list());
  }

  /** Closes all sessions without calling `onChange`. */
  async end(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ file }) => file.close()));
    this.#open.clear();
  }
}
