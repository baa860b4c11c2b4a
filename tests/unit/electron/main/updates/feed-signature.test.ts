import { expect, test } from 'vitest';
import { isSignedRelease, publicKeyOf, signRelease } from '../../../../../electron/main/updates/feed-signature.ts';
import { signingKey } from '../../../../support/update-feed.ts';

const key = signingKey();
const publicKey = publicKeyOf(key);
const release = { version: '1.2.3', files: [{ url: 'a.AppImage', sha512: 'abc' }] };
const signature = signRelease(release, key);

test('a release signed by the key is accepted, regardless of the rest of the feed', () => {
  expect(isSignedRelease(release, signature, publicKey)).toBe(true);
  expect(isSignedRelease({ ...release, releaseNotes: 'new' } as typeof release, signature, publicKey)).toBe(true);
});

test.each([
  ['another version', { ...release, version: '1.2.4' }, signature],
  ['another file', { ...release, files: [{ url: 'a.AppImage', sha512: 'abd' }] }, signature],
  ['a further file', { ...release, files: [...release.files, { url: 'b.AppImage', sha512: 'x' }] }, signature],
  ['another key', release, signRelease(release, signingKey())],
  ['no signature', release, undefined],
  ['no base64', release, '***'],
])('is refused with %s', (_what, changed, given) => {
  expect(isSignedRelease(changed, given, publicKey)).toBe(false);
});
