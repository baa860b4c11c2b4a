import { expect, it } from 'vitest';
import { cacheFolder } from '../../../../electron/headless/compile-cache.ts';

it.each([
  ['linux', {}, '/home/a', '/home/a/.cache/roundtrip'],
  ['linux', { XDG_CACHE_HOME: '/var/cache/a' }, '/home/a', '/var/cache/a/roundtrip'],
  ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/a', '/home/a/.cache/roundtrip'],
  ['darwin', { XDG_CACHE_HOME: '/var/cache/a' }, '/Users/a', '/Users/a/Library/Caches/Roundtrip'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\a', 'D:\\Local\\Roundtrip\\Cache'],
  ['win32', {}, 'C:\\Users\\a', 'C:\\Users\\a\\AppData\\Local\\Roundtrip\\Cache'],
])('the cache folder on %s with %j', (platform, env, home, folder) => {
  expect(cacheFolder(platform, env, () => home)).toBe(folder);
});
