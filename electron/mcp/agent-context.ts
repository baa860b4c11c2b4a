import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SavedFile } from '../../shared/contract/saved-file.ts';
import { Follower } from './read/follower.ts';
import { MineRules } from './rules/mine-rules.ts';

export interface AgentContextOptions {
  api: InspectorApi;
  /** Fetches what the host made ready at `url`, a path of its web host; null: this host writes files itself. */
  download: ((url: string, to: string) => Promise<void>) | null;
  /** The folder for files that tools write: agents get paths, and never choose them. */
  folder: string;
}

/** What all tools of one agent, or of all agents of one web host, share. */
export class AgentContext {
  readonly api: InspectorApi;
  readonly folder: string;
  readonly download: AgentContextOptions['download'];
  readonly follower: Follower;
  readonly mine: MineRules;

  constructor({ api, folder, download }: AgentContextOptions) {
    this.api = api;
    this.folder = folder;
    this.download = download;
    this.follower = new Follower(api);
    this.mine = new MineRules(api);
  }

  /** The id of `session`, or with undefined of the one that is being recorded (or was opened as SOURCE). */
  async sessionId(session: string | undefined): Promise<string> {
    if (session !== undefined) return session;
    const { sessions } = await this.api.request('sessions.list', {});
    return sessions[0]?.id ?? '';
  }

  /** Where a file that the host handed over is now; null if there is none. */
  async place(saved: SavedFile, to: string): Promise<string | null> {
    if (saved.status === 'cancelled') return null;
    if (saved.status === 'saved') return saved.path;
    if (this.download === null) return null;
    await this.download(saved.url, to);
    return to;
  }

  /** Removes the rules of this agent, and stops following. */
  async close(): Promise<void> {
    this.follower.close();
    await this.mine.close();
  }
}
