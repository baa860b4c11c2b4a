import { stringify } from 'yaml';
import type { ReleaseFacts } from './facts.ts';

/** As electron-builder.json has it. */
const ID = 'dev.roundtrip.app';

const LAUNCHER = `#!/bin/sh
# zypak takes the place of Chromium's sandbox, which cannot start inside Flatpak's.
exec zypak-wrapper /app/Roundtrip/roundtrip "$@"
`;

const BUILD = [
  'ar x roundtrip.deb && tar xf data.tar.*',
  'mv opt/Roundtrip /app/Roundtrip',
  'mkdir -p /app/share && mv usr/share/icons usr/share/mime usr/share/applications /app/share/',
  `install -Dm755 roundtrip.sh /app/bin/roundtrip`,
  `desktop-file-edit --set-key=Exec --set-value='roundtrip %U' /app/share/applications/roundtrip.desktop`,
  `install -Dm644 ${ID}.metainfo.xml /app/share/metainfo/${ID}.metainfo.xml`,
];

/** `arch`: Flatpak's name of the architecture; `deb`: Debian's. */
function source({ version, file }: ReleaseFacts, arch: string, deb: string): unknown {
  const { url, sha256 } = file(`Roundtrip-${version}-linux-${deb}.deb`);
  return { type: 'file', 'only-arches': [arch], url, sha256, 'dest-filename': 'roundtrip.deb' };
}

function manifest(facts: ReleaseFacts): unknown {
  return {
    id: ID,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '25.08',
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': '25.08',
    command: 'roundtrip',
    'rename-desktop-file': 'roundtrip.desktop',
    'rename-icon': 'roundtrip',
    'rename-mime-file': 'roundtrip.xml',
    'finish-args': [
      '--share=network',
      '--share=ipc',
      '--socket=fallback-x11',
      '--socket=wayland',
      '--device=dri',
      '--talk-name=org.freedesktop.Notifications',
      '--talk-name=org.freedesktop.secrets',
    ],
    modules: [
      {
        name: 'roundtrip',
        buildsystem: 'simple',
        'build-commands': BUILD,
        sources: [
          source(facts, 'x86_64', 'amd64'),
          source(facts, 'aarch64', 'arm64'),
          { type: 'file', path: `${ID}.metainfo.xml` },
          { type: 'script', 'dest-filename': 'roundtrip.sh', commands: LAUNCHER.trim().split('\n').slice(1) },
        ],
      },
    ],
  };
}

/** AppStream, which software centres show. `date`: of the release, `2026-11-23`. */
function metainfo(facts: ReleaseFacts, date: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${facts.license}</project_license>
  <name>Roundtrip</name>
  <summary>See every HTTP exchange without changing it</summary>
  <description>
    <p>${facts.description}.</p>
    <p>
      Inside Flatpak it records what is sent to its proxy. It cannot start the browsers and terminals of the system.
    </p>
  </description>
  <developer id="dev.roundtrip"><name>${facts.publisher}</name></developer>
  <launchable type="desktop-id">${ID}.desktop</launchable>
  <url type="homepage">${facts.homepage}</url>
  <url type="bugtracker">${facts.issues}</url>
  <content_rating type="oars-1.1" />
  <releases>
    <release version="${facts.version}" date="${date}" />
  </releases>
</component>
`;
}

/** Flathub's files, by name. */
export function flatpakFiles(facts: ReleaseFacts, date: string): Record<string, string> {
  return {
    [`${ID}.yaml`]: stringify(manifest(facts), { lineWidth: 0 }),
    [`${ID}.metainfo.xml`]: metainfo(facts, date),
  };
}
