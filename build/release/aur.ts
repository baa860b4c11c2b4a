import type { ReleaseFacts } from './facts.ts';

/** As Arch names the packages with the libraries that electron-builder.json names for deb and rpm. */
const DEPENDS = [
  'alsa-lib',
  'at-spi2-core',
  'gtk3',
  'libnotify',
  'libsecret',
  'libxss',
  'libxtst',
  'mesa',
  'nss',
  'xdg-utils',
];

interface Source {
  arch: string;
  url: string;
  sha256: string;
}

/** The files of `roundtrip-bin` in Arch's user repository, which repackages the deb. */
export function aurFiles(facts: ReleaseFacts): Record<string, string> {
  const { version, homepage, license, description } = facts;
  // pacman reads a hyphen as the start of its own release number.
  const pkgver = version.replaceAll('-', '_');
  const sources = [
    ['x86_64', 'amd64'],
    ['aarch64', 'arm64'],
  ].map(([arch = '', deb]): Source => ({ arch, ...facts.file(`Roundtrip-${version}-linux-${deb}.deb`) }));
  const named = (each: Source) => `roundtrip-${pkgver}-${each.arch}.deb::${each.url}`;
  const downloads = sources.flatMap((each) => [
    `source_${each.arch}=('${named(each)}')`,
    `sha256sums_${each.arch}=('${each.sha256}')`,
  ]);
  const quoted = DEPENDS.map((name) => `'${name}'`).join(' ');
  const pkgbuild = `# Maintainer: ${facts.publisher}
pkgname=roundtrip-bin
pkgver=${pkgver}
pkgrel=1
pkgdesc='${description}'
arch=(${sources.map(({ arch }) => `'${arch}'`).join(' ')})
url='${homepage}'
license=('${license}')
depends=(${quoted})
provides=('roundtrip')
conflicts=('roundtrip')
options=('!strip' '!debug')
${downloads.join('\n')}

package() {
  bsdtar -xf data.tar.* -C "$pkgdir"
  install -d "$pkgdir/usr/bin"
  ln -s /opt/Roundtrip/resources/bin/roundtrip "$pkgdir/usr/bin/roundtrip"
  install -Dm644 "$pkgdir/opt/Roundtrip/resources/LICENSE.txt" "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
  # Chromium's sandbox, on kernels without user namespaces for everybody.
  chmod 4755 "$pkgdir/opt/Roundtrip/chrome-sandbox"
}
`;
  const fields: [string, string][] = [
    ['pkgdesc', description],
    ['pkgver', pkgver],
    ['pkgrel', '1'],
    ['url', homepage],
    ...sources.map(({ arch }): [string, string] => ['arch', arch]),
    ['license', license],
    ...DEPENDS.map((name): [string, string] => ['depends', name]),
    ['provides', 'roundtrip'],
    ['conflicts', 'roundtrip'],
    ['options', '!strip'],
    ['options', '!debug'],
    ...sources.flatMap((each): [string, string][] => [
      [`source_${each.arch}`, named(each)],
      [`sha256sums_${each.arch}`, each.sha256],
    ]),
  ];
  const lines = fields.map(([name, value]) => `\t${name} = ${value}\n`).join('');
  return { PKGBUILD: pkgbuild, '.SRCINFO': `pkgbase = roundtrip-bin\n${lines}\npkgname = roundtrip-bin\n` };
}
