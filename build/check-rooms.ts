import fs from 'node:fs';
import path from 'node:path';
import { moduleFacts } from './module-imports.ts';
import { type Breach, breaches, type Rooms } from './rooms.ts';

/** Folder = environment: fails on an import that rooms.json does not list for its folder. */
export function checkRooms(root: string): { files: number; found: Breach[] } {
  const rooms: Rooms = JSON.parse(fs.readFileSync(path.join(root, 'build/rooms.json'), 'utf8'));
  const files = ['shared', 'electron', 'renderer', 'build', 'tests']
    .map((folder) => path.join(root, folder))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const found = files.flatMap((file) => {
    const relative = path.relative(root, file).split(path.sep).join('/');
    return breaches(relative, moduleFacts(relative, fs.readFileSync(file, 'utf8')), rooms);
  });
  return { files: files.length, found };
}

if (import.meta.main) {
  const { files, found } = checkRooms(process.argv[2] ?? process.cwd());
  for (const { file, line, message } of found) console.error(`${file}:${line}: ${message}`);
  console.log(`rooms: ${files} files, ${found.length} imports that are not allowed`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
