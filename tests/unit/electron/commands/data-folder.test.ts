import { expect, it } from 'vitest';
import { defaultDataFolder } from '../../../../electron/commands/data-folder.ts';
import { newSessionPath } from '../../../../electron/commands/new-session-path.ts';

it.each([
  ['linux', {}, '/home/ada/.local/share/roundtrip'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/roundtrip'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/roundtrip'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ada/Library/Application Support/Roundtrip'],
])('is the place of its system: %s %j', (platform, env, folder) => {
  expect(defaultDataFolder(platform, env, () => '/home/ada')).toBe(folder);
});

it('is under APPDATA on Windows', () => {
  expect(defaultDataFolder('win32', { APPDATA: 'C:\\Data' }, () => 'C:\\Users\\ada')).toBe('C:\\Data\\Roundtrip');
  expect(defaultDataFolder('win32', {}, () => 'C:\\Users\\ada')).toBe('C:\\Users\\ada\\AppData\\Roaming\\Roundtrip');
});

/** As `os.homedir` for a container's user without HOME and without an entry in /etc/passwd. */
function noHome(): string {
  throw new Error('uv_os_homedir returned ENOENT');
}

it('needs no home where XDG_DATA_HOME names the place', () => {
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/data' }, noHome)).toBe('/data/roundtrip');
});

it('names each session by its time, and no two alike', () => {
  const now = new Date('2026-11-20T22:47:03.412Z');
  const names = Array.from({ length: 100 }, () => newSessionPath('/d', now));
  expect(names[0]).toMatch(/^\/d\/sessions\/2026-11-20T22-47-03-412Z-[0-9a-f]{8}\.roundtrip$/);
  expect(new Set(names).size).toBe(100);
});
