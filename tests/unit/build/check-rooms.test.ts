import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRooms } from '../../../build/check-rooms.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

/** What is wrong with a project of these files. */
function found(files: Files, rooms: Readonly<Record<string, string[]>>) {
  const root = temporaryFolder();
  const all = { ...files, 'build/rooms.json': JSON.stringify({ rooms, names: [] }) };
  for (const [file, text] of Object.entries(all)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return checkRooms(root).found;
}

const EVERYWHERE = { build: ['*'], electron: ['*'], renderer: ['*'], shared: ['*'], tests: ['*'] };

describe('imports', () => {
  it('names file and line of one that no list allows', () => {
    const files = { 'electron/engine/bad.ts': "// A reason.\nimport { app } from 'electron';\n" };
    expect(found(files, { 'electron/engine': ['electron/engine'] })).toEqual([
      { file: 'electron/engine/bad.ts', line: 2, message: 'electron/engine/ may not import "electron"' },
    ]);
  });

  it('names what a folder may import and does not', () => {
    const files = { 'shared/a.ts': "import 'valibot';\n" };
    expect(found(files, { shared: ['shared', 'npm:valibot', 'npm:ws'] })).toEqual([
      { file: 'build/rooms.json', line: 1, message: 'shared/ imports nothing from npm:ws' },
    ]);
  });

  it('names each folder of the engine without its own list', () => {
    const files = {
      'electron/engine/a.ts': '// Listed.\n',
      'electron/engine/rules/b.ts': '// Listed.\n',
      'electron/engine/rules/actions/c.ts': '// Not listed.\n',
      'electron/engine/rules/actions/d.ts': '// In the same folder.\n',
      'electron/session/read/e.ts': '// Not in the engine.\n',
    };
    const rooms = { electron: ['*'], 'electron/engine': ['*'], 'electron/engine/rules': ['*'] };
    expect(found(files, rooms)).toEqual([
      { file: 'build/rooms.json', line: 1, message: 'electron/engine/rules/actions/ needs its own list' },
    ]);
  });

  it.each([
    [
      'values',
      "import { b } from './b.ts';\nexport const a = b;\n",
      "import { a } from './a.ts';\nexport const b = a;\n",
    ],
    ['types', "import type { B } from './b.ts';\nexport type A = B;\n", "export type B = import('./a.ts').A;\n"],
    ['what others export', "export * from './b.ts';\n", "export type { A } from './a.ts';\n"],
  ])('finds a cycle of %s', (_what, a, b) => {
    expect(found({ 'shared/a.ts': a, 'shared/b.ts': b }, EVERYWHERE)).toEqual([
      { file: 'shared/a.ts', line: 1, message: 'is in a cycle of imports: shared/a.ts, shared/b.ts' },
    ]);
  });
});

describe('sizes', () => {
  it('finds folders with too many files, style sheets included', () => {
    const names = Array.from({ length: 21 }, (_each, index) => `shared/file-${index}.${index % 2 ? 'css' : 'ts'}`);
    const files = Object.fromEntries(names.map((name) => [name, '']));
    expect(found(files, EVERYWHERE)).toEqual([
      { file: 'shared', line: 1, message: 'has 21 files, and 20 is the most' },
    ]);
    expect(found({ ...files, 'shared/file-0.ts': '', 'shared/sub/file.ts': '' }, EVERYWHERE)).toHaveLength(1);
    delete files['shared/file-0.ts'];
    expect(found({ ...files, 'shared/sub/file.ts': '' }, EVERYWHERE)).toEqual([]);
  });

  it.each(['build/a.ts', 'electron/a.ts', 'renderer/a.css', 'shared/a.ts', 'tests/unit/a.test.ts'])(
    'finds a file of more than 400 lines: %s',
    (file) => {
      expect(found({ [file]: '\n'.repeat(400) }, EVERYWHERE)).toEqual([]);
      expect(found({ [file]: `${'\n'.repeat(400)}/* the last has no line break */` }, EVERYWHERE)).toEqual([
        { file, line: 401, message: '401 lines, and 400 is the most' },
      ]);
    },
  );

  it('counts the characters of each line, in tests and style sheets too', () => {
    const files = {
      'tests/a.test.ts': `// ${'𝄞'.repeat(117)}\n// ${'x'.repeat(118)}\n`,
      'renderer/a.css': `/* ${'x'.repeat(130)} */`,
    };
    expect(found(files, EVERYWHERE)).toEqual([
      { file: 'renderer/a.css', line: 1, message: '136 columns, and 120 is the most' },
      { file: 'tests/a.test.ts', line: 2, message: '121 columns, and 120 is the most' },
    ]);
  });

  it('finds a function that is too long, and all long ones if there are too many', () => {
    const run = (lines: number) => `const run = () => {${'\n'.repeat(lines - 1)}};\n`;
    const method = (lines: number) => `class A {\n  run() {${'\n'.repeat(lines - 1)}}\n}\n`;
    const places = (a: string, b: string) =>
      found({ 'shared/a.ts': a, 'shared/b.ts': b }, EVERYWHERE).map(({ file, line }) => `${file}:${line}`);
    expect(places(`\n${run(61)}`, run(41).repeat(9))).toEqual(['shared/a.ts:2']);
    expect(places(method(61), '')).toEqual(['shared/a.ts:2']);
    expect(places(run(60), run(41).repeat(9))).toEqual([]);
    expect(places(run(41).repeat(2), run(41).repeat(9))).toHaveLength(11);
  });
});

describe('comments', () => {
  const code = (lines: number) => 'let a;\n\n'.repeat(lines);

  it('must be on 12 % of the lines of the engine and of the renderer, blank lines left out', () => {
    const files = {
      'electron/engine/a.ts': `// A reason.\n${code(8)}`,
      'renderer/a.tsx': `/* A reason. */\n${code(8)}`,
    };
    expect(found(files, { ...EVERYWHERE, 'electron/engine': ['*'] })).toEqual([
      { file: 'electron/engine', line: 1, message: '11.1 % of its lines hold a comment, and 12 % is the least' },
      { file: 'renderer', line: 1, message: '11.1 % of its lines hold a comment, and 12 % is the least' },
    ]);
  });

  it('count together in all files of a folder, with each of their lines, and not elsewhere', () => {
    const files = {
      'renderer/a.ts': code(16),
      'renderer/ui/b.tsx': '/**\n * Two reasons.\n *\n */\n',
      'shared/c.ts': code(100),
    };
    expect(found(files, EVERYWHERE)).toEqual([]);
  });

  it('are no comments inside of text', () => {
    expect(found({ 'renderer/a.ts': "const a = '// none';\n".repeat(10) }, EVERYWHERE)).toEqual([
      { file: 'renderer', line: 1, message: '0.0 % of its lines hold a comment, and 12 % is the least' },
    ]);
  });
});

it('finds nothing in this project', () => {
  expect(checkRooms(path.resolve('.')).found).toEqual([]);
});
