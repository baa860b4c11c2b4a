import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { collectFeeds, signFeeds } from '../../../build/update-feed.ts';
import { isSignedRelease, publicKeyOf } from '../../../electron/main/updates/feed-signature.ts';
import { signingKey } from '../../support/update-feed.ts';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-feeds-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
});

const write = (name: string, version: string, url: string) =>
  fs.writeFileSync(
    path.join(folder, name),
    stringify({ version, files: [{ url, sha512: url, size: 1 }], path: url, sha512: url }),
  );
const files = (name: string) => parse(fs.readFileSync(path.join(folder, name), 'utf8')).files;

test('a feed names the files of every architecture, with one signature for all', () => {
  vi.stubEnv('UPDATE_FEED_URL', 'https://updates.test/');
  const key = signingKey();
  vi.stubEnv('UPDATE_SIGNING_KEY', key);
  onTestFinished(() => void vi.unstubAllEnvs());
  write('latest-mac.yml', '1.2.3', 'a-x64.zip');
  const first = collectFeeds(folder, new Map());
  write('latest-mac.yml', '1.2.3', 'a-arm64.zip');
  signFeeds(folder, collectFeeds(folder, first));
  const { signature, ...release } = parse(fs.readFileSync(path.join(folder, 'latest-mac.yml'), 'utf8'));
  expect(release).toMatchObject({ path: 'a-x64.zip', files: [{ url: 'a-x64.zip' }, { url: 'a-arm64.zip' }] });
  expect(isSignedRelease(release, signature, publicKeyOf(key))).toBe(true);
});

test('a feed of another version is replaced, and a build without a feed writes none', () => {
  write('latest.yml', '1.2.2', 'old.exe');
  const old = collectFeeds(folder, new Map());
  write('latest.yml', '1.2.3', 'new.exe');
  write('latest-linux-arm64.yml', '1.2.3', 'new-arm64.AppImage');
  const feeds = collectFeeds(folder, old);
  expect([...feeds.keys()].sort()).toEqual(['latest-linux-arm64.yml', 'latest.yml']);
  expect(feeds.get('latest.yml')?.files).toMatchObject([{ url: 'new.exe' }]);
  vi.stubEnv('UPDATE_FEED_URL', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  signFeeds(folder, new Map([['latest.yml', old.get('latest.yml') as never]]));
  expect(files('latest.yml')).toMatchObject([{ url: 'new.exe' }]);
});
