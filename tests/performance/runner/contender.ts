import fs from 'node:fs';
import path from 'node:path';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Child } from './child.ts';
import { listensOn } from './process-tree.ts';
import type { OriginPorts } from './scenario.ts';

export const START_LIMIT = 30_000;

/** A contender's configuration. */
export interface Surroundings {
  /** Its own folder, removed afterwards. */
  folder: string;
  /** The origin's CA, PEM. */
  upstreamCa: string;
  /** A port that was free a moment ago. */
  port: number;
  /** Of the origin, which a reverse proxy must know beforehand. */
  origins: OriginPorts;
  /** host:port of a second proxy behind the contender; null: none. */
  secondProxy: string | null;
  /** Opens the product's own page in a browser in place of a bare listener to its feed; null: the listener. */
  openPage: ((ui: string) => Promise<{ close(): Promise<void> }>) | null;
  /** Writes the session that the product continues; null: it begins an empty one. */
  session: ((file: string) => void) | null;
  /** Where each thread of a Node contender writes its profile as it ends; null: no profile. */
  profiles: string | null;
}

export interface Running {
  /** host:port of the proxy; null: there is none. */
  proxy: string | null;
  pid: number | null;
  /** The address of its window; null: it has none. */
  ui: string | null;
  /** Body bytes that were to be recorded, and were not. */
  bytesNotKept(): number;
  /** The rows of its session after this id, up to a page of them; null: it has no session. */
  rowsAfter: ((id: number) => Promise<ExchangeSummary[]>) | null;
  stop(): Promise<void>;
}

export interface Contender {
  name: string;
  /** Ends TLS and reads requests; a blind tunnel does not. */
  intercepts: boolean;
  /** The name of the thread whose CPU is of interest; null: the process as a whole. */
  thread: string | null;
  start(around: Surroundings): Promise<Running>;
}

/** Its own folder below `base`. */
export function folderFor(base: string, name: string): string {
  const folder = path.join(base, name.replaceAll(/[^a-z0-9]+/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

/** Waits until that very process listens. */
export async function listening(child: Child, port: number): Promise<Running> {
  const until = Date.now() + START_LIMIT;
  while (!listensOn(child.pid, port)) {
    if (Date.now() > until || child.process.exitCode !== null) {
      await child.stop();
      throw new Error(`port ${port} does not belong to the process just started`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    proxy: `127.0.0.1:${port}`,
    pid: child.pid,
    ui: null,
    bytesNotKept: () => 0,
    rowsAfter: null,
    stop: () => child.stop(),
  };
}
