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

/** What makes a package check for updates; without a feed, it never does. */
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

type Feed = SignedRelease & Record<string, unknown>;

/**
 * The feeds (`latest.yml`, `latest-mac.yml`, `latest-linux-arm64.yml`) in a folder of packages, by name, each with the
 * files that `earlier` names for the same version: the build of a second architecture replaces the feed of the first.
 */
export function collectFeeds(folder: string, earlier: ReadonlyMap<string, Feed>): Map<string, Feed> {
  const names = fs.readdirSync(folder).filter((file) => /^latest.*\.yml$/.test(file));
  return new Map(
    names.map((name): [string, Feed] => {
      const feed: Feed = parse(fs.readFileSync(path.join(folder, name), 'utf8'));
      const before = earlier.get(name);
      if (before?.version !== feed.version) return [name, feed];
      const urls = new Set(before.files.map(({ url }) => url));
      return [name, { ...before, files: [...before.files, ...feed.files.filter(({ url }) => !urls.has(url))] }];
    }),
  );
}

/** Writes the feeds with their signatures, or nothing if there is no feed. */
export function signFeeds(folder: string, feeds: ReadonlyMap<string, Feed>): void {
  const given = feed();
  if (given === null) return;
  for (const [name, release] of feeds)
    fs.writeFileSync(
      path.join(folder, name),
      stringify({ ...release, signature: signRelease(release, given.privateKey) }),
    );
}
