import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import {
  type CertificateAuthority,
  openCertificateAuthority,
} from '../../../../../electron/engine/ca/certificate-authority.ts';
import { LeafIssuer } from '../../../../../electron/engine/tls/leaf-issuer.ts';
import { LeafStore, makeLeafKey, type StoredLeaf } from '../../../../../electron/engine/tls/leaf-store.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const LIMIT = 3;
let ca: CertificateAuthority;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  ca = await openCertificateAuthority(folder);
});

const store = () => new LeafStore(folder, ca.certificatePem);

function leaf(keyPem: string, ...names: string[]): StoredLeaf {
  return { names, certificatePem: new LeafIssuer(ca, keyPem).mint(names), notBefore: 0, notAfter: 0 };
}

function file(): string {
  const [inner = ''] = fs.readdirSync(path.join(folder, 'leaves'));
  return path.join(folder, 'leaves', inner, 'leaves.pem');
}

const textOf = ({ names, certificatePem }: StoredLeaf) => `${names.join(' ')}\n${certificatePem}`;
const namesInFile = () => fs.readFileSync(file(), 'latin1').match(/^[a-z]+\.test$/gm);

async function loaded(...texts: string[]): Promise<LeafStore> {
  fs.writeFileSync(file(), texts.join(''));
  const opened = store();
  await opened.load(LIMIT);
  return opened;
}

it('returns a leaf by its names, once', async () => {
  const { keyPem } = store();
  const of = leaf(keyPem, 'a.test', 'b.test');
  const opened = await loaded(textOf(of));
  expect(opened.take(['a.test'])).toBeNull();
  expect(opened.take(['a.test', 'b.test'])?.certificatePem).toBe(of.certificatePem);
  expect(opened.take(['a.test', 'b.test'])).toBeNull();
});

it('keeps the newest leaves in the file, and of one host the latest', async () => {
  const { keyPem } = store();
  const later = leaf(keyPem, 'a.test');
  const names = ['a.test', 'b.test', 'c.test', 'd.test'];
  const opened = await loaded(...names.map((name) => textOf(leaf(keyPem, name))), textOf(later));
  expect(namesInFile()).toEqual(['c.test', 'd.test', 'a.test']);
  expect(opened.take(['a.test'])?.certificatePem).toBe(later.certificatePem);
});

it('removes a record that was cut, which would spoil the next', async () => {
  const { keyPem } = store();
  const cut = textOf(leaf(keyPem, 'b.test')).slice(0, 200);
  const opened = await loaded(textOf(leaf(keyPem, 'a.test')), cut);
  expect(namesInFile()).toEqual(['a.test']);
  expect(opened.take(['b.test'])).toBeNull();
});

it('reads a leaf when it is asked for, and returns none that is damaged or has another key', async () => {
  const { keyPem } = store();
  const damaged = textOf(leaf(keyPem, 'a.test')).replace(/[A-Z]{4}/, 'AAAA');
  const opened = await loaded(damaged, textOf(leaf(makeLeafKey(), 'b.test')), textOf(leaf(keyPem, 'c.test')));
  expect(namesInFile()).toEqual(['a.test', 'b.test', 'c.test']);
  expect(opened.take(['a.test'])).toBeNull();
  expect(opened.take(['b.test'])).toBeNull();
  expect(opened.take(['c.test'])).not.toBeNull();
});
