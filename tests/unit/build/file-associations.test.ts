import fs from 'node:fs';
import { expect, test } from 'vitest';

const config = JSON.parse(fs.readFileSync('build/electron-builder.json', 'utf8'));
const installer = fs.readFileSync('build/resources/installer.nsh', 'utf8');

test('electron-builder associates files on macOS and Linux only: on Windows it takes .har from other programs', () => {
  const extensions = (part: { fileAssociations?: { ext: string }[] }) => part.fileAssociations?.map(({ ext }) => ext);
  expect(extensions(config.mac)).toEqual(['roundtrip', 'har']);
  expect(extensions(config.linux)).toEqual(['roundtrip', 'har']);
  expect([extensions(config), extensions(config.win), extensions(config.nsis)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the installer writes for this user only, and removes what it wrote', () => {
  const roots = [...installer.matchAll(/(?:Write|Delete)Reg\w+ (?:\/\w+ )?(HK\w+|SHELL_CONTEXT|SHCTX)/g)];
  expect(new Set(roots.map(([, root]) => root))).toEqual(new Set(['HKCU']));
  for (const made of ['Roundtrip.Session', 'Roundtrip.Archive', '.roundtrip']) {
    expect(installer).toContain(`DeleteRegKey HKCU "Software\\Classes\\${made}"`);
  }
  expect(installer).not.toContain('HKCU "Software\\Classes\\.har" ""');
});
