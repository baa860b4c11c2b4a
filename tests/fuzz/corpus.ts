import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Kept inputs, one folder per target: named seeds, and `found-*`, which once violated a property. */
const CORPUS = path.resolve(import.meta.dirname, 'corpus');

export interface Kept {
  name: string;
  bytes: Buffer;
}

export function corpusOf(target: string): Kept[] {
  const folder = path.join(CORPUS, target);
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder).sort();
  return names.map((name) => ({ name, bytes: fs.readFileSync(path.join(folder, name)) }));
}

/** Keeps an input that violated a property. Returns its path. */
export function keep(target: string, bytes: Uint8Array): string {
  const folder = path.join(CORPUS, target);
  fs.mkdirSync(folder, { recursive: true });
  const name = `found-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  return file;
}
