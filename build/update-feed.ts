import fs from 'node:fs';
import path from 'node:path';
import type { Configuration } from 'electron-builder';
import { parse, stringify } from 'yaml';
import { publicKeyOf, type SignedRelease, signRelease } from '../electron/main/updates/feed-signature.ts';

/** UPDATE_FEED_URL: the folder of the feed on a web server. UPDATE_SIGNING_KEY: PEM of the P-256 key that signs it. */
function feed(): { url: string; privateKey: string } | null {
  const { UPDATE_FEED_URL: url, UPDATE_SIGNING_KEY: privateKey } = process.env;
  if (!url) return null;
  if (!privateKey)
    throw new Error('UPDATE_FEED_URL is set without UPDATE_SIGNING_KEY: an app refuses an unsigned feed');
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && hostname !== '127.0.0.1')
    throw new Error(`UPDATE_FEED_URL ${url} begins without https:`);
  return { url, privateKey };
}

/** What makes a package look for updates; without a feed, nothing: it never does. */
export function updateOptions({ extraMetadata }: Configuration): Configuration {
  const given = feed();
  if (given === null) {
    console.log('The packages look for no updates: UPDATE_FEED_URL is not set.');
    return { publish: null };
  }
  return {
    publish: { provider: 'generic', url: given.url },
    extraMetadata: { ...extraMetadata, updateKey: publicKeyOf(given.privateKey) },
  };
}

/** Adds the signature to every feed (`latest.yml`, `latest-mac.yml`, `latest-linux-arm64.yml`) in a folder of packages. */
export function signFeeds(folder: string): void {
  const given = feed();
  if (given === null) return;
  for (const name of fs.readdirSync(folder).filter((file) => /^latest.*\.yml$/.test(file))) {
    const file = path.join(folder, name);
    const release = parse(fs.readFileSync(file, 'utf8')) as SignedRelease;
    fs.writeFileSync(file, stringify({ ...release, signature: signRelease(release, given.privateKey) }));
  }
}
