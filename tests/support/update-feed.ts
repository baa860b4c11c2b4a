import { createHash, generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import { stringify } from 'yaml';
import { signRelease } from '../../electron/main/updates/feed-signature.ts';
import { listen } from './listen.ts';

const FEED = '/latest-linux.yml';
const FILE = 'Roundtrip-9.9.9-linux-x64.AppImage';
const VERSION = '9.9.9';

/** What an update server currently offers. */
export interface Offer {
  /** The file as it is served. */
  served: string;
  /** The file that the feed names. */
  named: string;
  /** The key that signs the feed; null: it is not signed. */
  signedBy: string | null;
}

export interface UpdateFeed {
  url: string;
  /** Replaces what is offered; a text is served in place of the feed. */
  offer(offer: Offer | string): void;
  /** Paths that were asked for since the last call, without their query. */
  takeAsked(): string[];
  close(): void;
}

export function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function feedOf({ named, signedBy }: Offer): string {
  const sha512 = createHash('sha512').update(named).digest('base64');
  const release = { version: VERSION, files: [{ url: FILE, sha512, size: Buffer.byteLength(named) }] };
  const signature = signedBy === null ? {} : { signature: signRelease(release, signedBy) };
  return stringify({ ...release, path: FILE, sha512, releaseDate: '2026-01-01T00:00:00.000Z', ...signature });
}

/**
 * A web server with a feed as electron-builder writes it, signed as `build/package.ts` does, and the AppImage it names.
 */
export async function updateFeed(): Promise<UpdateFeed> {
  let offered: Offer | string = '';
  let asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://feed.test');
    asked.push(pathname);
    if (pathname === FEED) response.end(typeof offered === 'string' ? offered : feedOf(offered));
    else if (pathname === `/${FILE}` && typeof offered !== 'string') response.end(offered.served);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    offer: (next) => {
      offered = next;
    },
    takeAsked: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
    close: () => void server.close(),
  };
}
