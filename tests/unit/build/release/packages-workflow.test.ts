import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Step {
  name?: string;
  run?: string;
}

it.skipIf(process.platform === 'win32')('a release adds up the packages, which come in folders, and no folder', () => {
  const { jobs } = parse(fs.readFileSync('.github/workflows/packages.yml', 'utf8'));
  const gather = jobs.release.steps.find(({ name }: Step) => name === 'Gather and add up');
  const packages = temporaryFolder();
  // As upload-artifact keeps the folders of its paths.
  fs.mkdirSync(path.join(packages, 'sbom'));
  for (const file of ['app.deb', 'sbom/sbom.cdx.json']) fs.writeFileSync(path.join(packages, file), file);
  execFileSync('bash', ['-e', '-c', gather.run], { cwd: packages });
  expect(fs.readFileSync(path.join(packages, 'SHA256SUMS'), 'utf8')).toMatch(
    /^[0-9a-f]{64} {2}app\.deb\n[0-9a-f]{64} {2}sbom\.cdx\.json\n$/,
  );
  expect(fs.readdirSync(packages).sort()).toEqual(['SHA256SUMS', 'app.deb', 'sbom.cdx.json']);
});
