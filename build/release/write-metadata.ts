import fs from 'node:fs';
import path from 'node:path';
import { aurFiles } from './aur.ts';
import { releaseFacts } from './facts.ts';
import { flatpakFiles } from './flatpak.ts';
import { homebrewCask } from './homebrew.ts';
import { wingetManifests } from './winget.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * The files for each package manager's repository, by path. `checksums`: as sha256sum prints them; `date`:
 * `2026-11-23`.
 */
export function releaseMetadata(checksums: string, date: string): Record<string, string> {
  const facts = releaseFacts(ROOT, checksums);
  const folders = {
    winget: wingetManifests(facts),
    homebrew: { 'roundtrip.rb': homebrewCask(facts) },
    flatpak: flatpakFiles(facts, date),
    aur: aurFiles(facts),
  };
  const files = Object.entries(folders).flatMap(([folder, texts]) =>
    Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text]),
  );
  return Object.fromEntries(files);
}

if (import.meta.main) {
  const [checksums, out] = process.argv.slice(2);
  if (checksums === undefined || out === undefined) {
    console.error('usage: node build/release/write-metadata.ts SHA256SUMS OUT');
    process.exit(2);
  }
  const today = new Date().toISOString().slice(0, 10);
  for (const [name, text] of Object.entries(releaseMetadata(fs.readFileSync(checksums, 'utf8'), today))) {
    const file = path.join(out, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    console.log(file);
  }
}
