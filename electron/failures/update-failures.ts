import { type Detail, entry } from './entry.ts';

/** Failures of updates of the desktop app. The running version continues. */
export const UPDATE_FAILURES = {
  'update.no-feed': entry(
    'roundtrip',
    () => 'This build of Roundtrip has no update feed and never checks for updates. Install new versions by hand.',
  ),
  'update.not-here': entry<{ version: string }>(
    'roundtrip',
    (a) =>
      `Roundtrip ${a.version} was not installed as an AppImage: your package manager updates it, or you unpack a ` +
      'new version.',
  ),
  'update.check-failed': entry<Detail>(
    'roundtrip',
    (a) => `Checking for updates failed: ${a.detail}. Roundtrip tries again tomorrow.`,
  ),
  'update.not-signed': entry<{ version: string }>(
    'roundtrip',
    (a) =>
      `The update to ${a.version} was refused: the feed does not carry the signature of Roundtrip's publisher. ` +
      'Nothing was downloaded.',
  ),
  'update.tampered': entry<{ version: string }>(
    'roundtrip',
    (a) =>
      `The update to ${a.version} was discarded: the downloaded file is not the one that the publisher signed. Try ` +
      'again from another network.',
  ),
  'update.download-failed': entry<{ version: string } & Detail>(
    'roundtrip',
    (a) => `The update to ${a.version} could not be downloaded: ${a.detail}. Roundtrip tries again tomorrow.`,
  ),
} as const;
