import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { type RoundtripError, roundtripError } from '../../failures/errors.ts';

/** The public key that `build/package.ts` puts into the package of a build with a feed; null for any other build. */
function packagedKey(): string | null {
  const { updateKey }: { updateKey?: unknown } = JSON.parse(
    fs.readFileSync(path.join(app.getAppPath(), 'package.json'), 'utf8'),
  );
  return typeof updateKey === 'string' ? updateKey : null;
}

/**
 * The key that signs this build's feed. Throws `update.not-here` if this installation can't replace itself, or
 * `update.no-feed`.
 */
export function updateKey(): string {
  if (!app.isPackaged) throw roundtripError('update.no-feed', {});
  const key = packagedKey();
  if (key === null) throw roundtripError('update.no-feed', {});
  if (process.platform === 'linux' && !process.env.APPIMAGE) throw notHere();
  return key;
}

/** deb and rpm belong to the system's package manager, and an unpacked tar.gz may be in any folder. */
function notHere(): RoundtripError {
  return roundtripError('update.not-here', { version: app.getVersion() });
}
