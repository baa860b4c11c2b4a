import fs from 'node:fs';
import path from 'node:path';

/**
 * The facts about a release in the package managers' files. package.json and the release's checksums are the only
 * sources.
 */
export interface ReleaseFacts {
  version: string;
  description: string;
  homepage: string;
  issues: string;
  license: string;
  /** Without the address. */
  publisher: string;
  /** Throws an Error if the release has no such file. */
  file(name: string): { url: string; sha256: string };
}

interface Manifest {
  version: string;
  description: string;
  homepage: string;
  bugs: { url: string };
  license: string;
  author: string;
}

/** `checksums`: what sha256sum prints, a line per file: 64 hexadecimal digits, two characters, the name. */
export function releaseFacts(root: string, checksums: string): ReleaseFacts {
  const manifest: Manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { version, description, homepage, license, author } = manifest;
  const lines = checksums.matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+)$/gm);
  const sums = new Map([...lines].map(([, sum = '', name = '']) => [name, sum]));
  return {
    ...{ version, description, homepage, license, issues: manifest.bugs.url },
    publisher: author.replace(/\s*<.*>$/, ''),
    file(name) {
      const sha256 = sums.get(name);
      if (sha256 === undefined) throw new Error(`The checksums do not name ${name}.`);
      return { url: `${homepage}/releases/download/v${version}/${name}`, sha256 };
    },
  };
}
