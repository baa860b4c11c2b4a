import { stringify } from 'yaml';
import type { ReleaseFacts } from './facts.ts';

const IDENTIFIER = 'Roundtrip.Roundtrip';
const SCHEMA = '1.9.0';

function manifest(kind: string, version: string, facts: Record<string, unknown>): string {
  const schema = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind}.${SCHEMA}.schema.json\n`;
  const whole = {
    PackageIdentifier: IDENTIFIER,
    PackageVersion: version,
    ...facts,
    ManifestType: kind,
    ManifestVersion: SCHEMA,
  };
  return schema + stringify(whole, { lineWidth: 0 });
}

/** The three manifests of winget's community repository, by file name. */
export function wingetManifests(facts: ReleaseFacts): Record<string, string> {
  const { version } = facts;
  const installers = ['x64', 'arm64'].map((arch) => {
    const { url, sha256 } = facts.file(`Roundtrip-${version}-win-${arch}.exe`);
    return { Architecture: arch, InstallerUrl: url, InstallerSha256: sha256.toUpperCase() };
  });
  const installer = {
    InstallerType: 'nullsoft',
    // Electron's minimum.
    MinimumOSVersion: '10.0.0.0',
    Scope: 'user',
    UpgradeBehavior: 'install',
    FileExtensions: ['roundtrip', 'har'],
    Installers: installers,
  };
  const locale = {
    PackageLocale: 'en-US',
    Publisher: facts.publisher,
    PublisherSupportUrl: facts.issues,
    PackageName: 'Roundtrip',
    PackageUrl: facts.homepage,
    License: facts.license,
    ShortDescription: facts.description,
    Moniker: 'roundtrip',
    Tags: ['http', 'https', 'proxy', 'inspector', 'debugging', 'har'],
    ReleaseNotesUrl: `${facts.homepage}/releases/tag/v${version}`,
  };
  return {
    [`${IDENTIFIER}.yaml`]: manifest('version', version, { DefaultLocale: 'en-US' }),
    [`${IDENTIFIER}.installer.yaml`]: manifest('installer', version, installer),
    [`${IDENTIFIER}.locale.en-US.yaml`]: manifest('defaultLocale', version, locale),
  };
}
