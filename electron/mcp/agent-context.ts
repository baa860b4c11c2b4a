import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SavedFile } from '../../shared/contract/saved-file.ts';
import { Redactor } from '../../shared/format/redact/redactor.ts';
import { roundtripError } from '../failures/errors.ts';
import { Follower } from './read/follower.ts';
import { Turns } from './turns.ts';

/** Concurrent calls. Agents make a few; each may hold pages of rows or a body in memory. */
export const MOST_CALLS = 64;

export interface AgentContextOptions {
  api: InspectorApi;
  /** Fetches what the host prepared at `url`, a path of its web host; null: this host writes files itself. */
  download: ((url: string, to: string) => Promise<void>) | null;
  /** The folder for files that tools write: agents get paths, and never choose them. */
  folder: string;
}

/** The state that all tools of one agent, or of all agents of one web host, share. */
export class AgentContext {
  readonly api: InspectorApi;
  readonly folder: string;
  readonly download: AgentContextOptions['download'];
  readonly follower: Follower;
  /** Knows the secrets of what the agent has read: they are removed wherever they occur, as in an export. */
  readonly redactor = new Redactor();
  /** The host has one trial for each connection, and ends it for the next. */
  readonly trials = new Turns();
  /**
   * Pages of rows, batches of exchanges and bodies, of all calls. Over HTTP the host's own thread gets them: with a
   * page of each of 64 calls at once, the window waited for seconds, and as many bodies would fill its memory.
   */
  readonly reads = new Turns();
  #underWay = 0;

  constructor({ api, folder, download }: AgentContextOptions) {
    this.api = api;
    this.folder = folder;
    this.download = download;
    this.follower = new Follower(api);
  }

  /** The id of `session`, or with undefined of the one that is being recorded (or was opened as SOURCE). */
  async sessionId(session: string | undefined): Promise<string> {
    if (session !== undefined) return session;
    const { sessions } = await this.api.request('sessions.list', {});
    return sessions[0]?.id ?? '';
  }

  /** The current path of a file that the host handed over; null if there is none. */
  async place(saved: SavedFile, to: string): Promise<string | null> {
    if (saved.status === 'cancelled') return null;
    if (saved.status === 'saved') return saved.path;
    if (this.download === null) return null;
    await this.download(saved.url, to);
    return to;
  }

  /**
   * Runs a call, or rejects with `agents.too-many-calls`: waiting calls of a client that floods would fill the memory.
   */
  async counted<T>(call: () => Promise<T>): Promise<T> {
    if (this.#underWay >= MOST_CALLS) throw roundtripError('agents.too-many-calls', { limit: MOST_CALLS });
    this.#underWay += 1;
    try {
      return await call();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Stops following. */
  close(): void {
    this.follower.close();
  }
}
