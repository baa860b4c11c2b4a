import fs from 'node:fs';
import path from 'node:path';

/** A package whose code ships, as npm installed it. */
interface ShippedPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package states it. */
  license: string;
  /** The package's own licence files; empty if it brings none. */
  text: string;
}

const BILL = 'sbom.cdx.json';

/** In the package as native or plain files, outside the bundles. */
const EXTERNAL = ['koffi', 'quickjs-wasi'];

/**
 * `node_modules/@scope/name/lib/x.js` -> its package's folder; null for a file of ours. Nested packages count
 * themselves.
 */
function packageFolder(file: string): string | null {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/')) ?? [];
  return folder ?? null;
}

function shippedPackage(folder: string): ShippedPackage {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const files = fs.readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  const texts = files
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => fs.readFileSync(file, 'utf8').trim());
  return {
    name: String(manifest.name),
    version: String(manifest.version),
    license: typeof manifest.license === 'string' ? manifest.license : 'see the text',
    text: texts.join('\n\n'),
  };
}

/** CycloneDX 1.6. */
function billOfMaterials(packages: readonly ShippedPackage[], version: string): unknown {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'roundtrip', version, licenses: [{ expression: 'MIT' }] } },
    components: packages.map((each) => ({
      type: 'library',
      name: each.name,
      version: each.version,
      licenses: [{ expression: each.license }],
      purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    })),
  };
}

/**
 * Writes the bill of materials of the desktop packages into a folder, and returns that: the bundles' bill, with
 * Electron, which contains Chromium and Node. `version`: Electron's; default: the installed one.
 */
export function writeDesktopBill(root: string, folder: string, version?: string): string {
  const read = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
  const electron = version ?? String(read('node_modules/electron/package.json').version);
  const component = {
    ...{ type: 'framework', name: 'electron', version: electron },
    ...{ licenses: [{ expression: 'MIT' }], purl: `pkg:npm/electron@${electron}` },
  };
  const bill = read(`dist/third-party/${BILL}`);
  bill.components.push(component);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, BILL), `${JSON.stringify(bill, null, 2)}\n`);
  return folder;
}

/**
 * Writes the licences and the bill of materials (`sbom.cdx.json`) of the packages that the modules in `files` come
 * from. `files`: paths of bundled modules below `root`, absolute or relative to it.
 */
export function writeThirdParty(root: string, outFolder: string, files: Iterable<string>): void {
  const folders = new Set(EXTERNAL.map((name) => path.join(root, 'node_modules', name)));
  for (const file of files) {
    const folder = packageFolder(path.resolve(root, file));
    if (folder !== null && fs.existsSync(path.join(folder, 'package.json'))) folders.add(folder);
  }
  const packages = [...folders].map(shippedPackage).sort((one, other) => one.name.localeCompare(other.name));
  const texts = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`);
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  fs.mkdirSync(outFolder, { recursive: true });
  fs.writeFileSync(path.join(outFolder, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
  const bill = JSON.stringify(billOfMaterials(packages, version), null, 2);
  fs.writeFileSync(path.join(outFolder, BILL), `${bill}\n`);
}
