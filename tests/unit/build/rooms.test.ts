import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRooms } from '../../../build/check-rooms.ts';
import { moduleFacts } from '../../../build/module-imports.ts';
import { breaches, type Rooms, roomOf } from '../../../build/rooms.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOMS: Rooms = JSON.parse(fs.readFileSync(path.resolve('build/rooms.json'), 'utf8'));

function found(file: string, source: string): string[] {
  return breaches(file, moduleFacts(file, source), ROOMS).map(({ line, message }) => `${line}: ${message}`);
}

describe('rooms', () => {
  it('takes the longest folder that holds a file', () => {
    expect(roomOf('renderer/features/traffic/list.tsx', ROOMS)).toBe('renderer/features');
    expect(roomOf('renderer/main.tsx', ROOMS)).toBe('renderer');
    expect(roomOf('rendererlike/a.ts', ROOMS)).toBeNull();
  });

  it('keeps Electron out of the engine, in any syntax', () => {
    const sources = [
      "import { app } from 'electron';",
      "import type { App } from 'electron';",
      "export * from 'electron';",
      "export { app } from 'electron';",
      "const electron = await import('electron');",
      "const electron = require('electron');",
      "type App = import('electron').App;",
      "import electron = require('electron');",
    ];
    for (const source of sources) {
      const line = `\n${source}`;
      expect(found('electron/engine/a.ts', line), source).toEqual(['2: electron/engine/ may not import "electron"']);
    }
  });

  it.each([
    ['shared/format/har.ts', "import 'node:fs';"],
    ['electron/engine/tls/leaf.ts', "import '../../main/main.ts';"],
    ['electron/engine/upstream/pool.ts', "import '../../headless/cli.ts';"],
    ['electron/headless/cli.ts', "import 'electron';"],
    ['renderer/ui/button.tsx', "import '../features/traffic/list.tsx';"],
    ['renderer/state/store.ts', "import 'react';"],
    ['renderer/features/traffic/list.tsx', "import '../../../electron/commands/dispatch.ts';"],
    ['electron/preload/preload.ts', "import '../commands/dispatch.ts';"],
  ])('refuses in %s: %s', (file, source) => {
    expect(found(file, source)).toHaveLength(1);
  });

  it.each([
    ['shared/format/har.ts', "import '../model/exchange.ts';"],
    ['electron/engine/tls/leaf.ts', "import 'node:crypto'; import '../../failures/errors.ts';"],
    ['electron/main/main.ts', "import 'electron'; import '../commands/host.ts';"],
    ['renderer/features/traffic/list.tsx', "import 'react'; import '@tanstack/react-virtual'; import './row.css';"],
  ])('allows in %s: %s', (file, source) => {
    expect(found(file, source)).toEqual([]);
  });

  it('keeps raw IPC and the transports in their places', () => {
    expect(found('electron/main/menu.ts', "import { ipcMain } from 'electron';")).toEqual([
      '1: ipcMain is only for electron/main/ipc',
    ]);
    expect(found('electron/main/ipc/serve.ts', "import { ipcMain } from 'electron';")).toEqual([]);
    expect(found('renderer/features/a.tsx', "new WebSocket('ws://a');")).toEqual([
      '1: WebSocket is only for renderer/platform',
    ]);
    expect(found('renderer/sync/a.ts', 'window.roundtrip.call();')).toEqual([
      '1: roundtrip is only for renderer/platform',
    ]);
    expect(found('renderer/platform/a.ts', "window.roundtrip.call(); new WebSocket('ws://a');")).toEqual([]);
  });

  it('names file and line of a breach on disk', () => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, 'build'));
    fs.mkdirSync(path.join(root, 'electron/engine'), { recursive: true });
    const rooms = { 'electron/engine': ['electron/engine'] };
    fs.writeFileSync(path.join(root, 'build/rooms.json'), JSON.stringify({ rooms, names: [] }));
    fs.writeFileSync(path.join(root, 'electron/engine/bad.ts'), "const a = 1;\nimport { app } from 'electron';\n");
    expect(checkRooms(root).found).toEqual([
      { file: 'electron/engine/bad.ts', line: 2, message: 'electron/engine/ may not import "electron"' },
    ]);
  });

  it('counts the characters of each line, in tests and style sheets too', () => {
    const root = temporaryFolder();
    for (const folder of ['build', 'tests', 'renderer']) fs.mkdirSync(path.join(root, folder));
    fs.writeFileSync(path.join(root, 'build/rooms.json'), JSON.stringify({ rooms: { tests: [] }, names: [] }));
    fs.writeFileSync(path.join(root, 'tests/a.test.ts'), `// ${'𝄞'.repeat(117)}\n// ${'x'.repeat(118)}\n`);
    fs.writeFileSync(path.join(root, 'renderer/a.css'), `/* ${'x'.repeat(130)} */`);
    expect(checkRooms(root).found).toEqual([
      { file: 'renderer/a.css', line: 1, message: '136 columns, and 120 is the most' },
      { file: 'tests/a.test.ts', line: 2, message: '121 columns, and 120 is the most' },
    ]);
  });

  it('names what a folder may import and does not', () => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, 'build'));
    fs.mkdirSync(path.join(root, 'shared'));
    fs.writeFileSync(path.join(root, 'shared/a.ts'), "import 'valibot';\n");
    const rooms = { shared: ['shared', 'npm:valibot', 'npm:ws'] };
    fs.writeFileSync(path.join(root, 'build/rooms.json'), JSON.stringify({ rooms, names: [] }));
    expect(checkRooms(root).found).toEqual([
      { file: 'build/rooms.json', line: 1, message: 'shared/ imports nothing from npm:ws' },
    ]);
  });

  it('finds cycles of imports, types included, and folders that are too full', () => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, 'build'));
    fs.writeFileSync(path.join(root, 'build/rooms.json'), JSON.stringify({ rooms: { shared: ['*'] }, names: [] }));
    fs.mkdirSync(path.join(root, 'shared'));
    fs.writeFileSync(path.join(root, 'shared/a.ts'), "import type { B } from './b.ts';\nexport type A = B;\n");
    fs.writeFileSync(path.join(root, 'shared/b.ts'), "import type { A } from './a.ts';\nexport type B = A;\n");
    for (let index = 0; index < 19; index += 1)
      fs.writeFileSync(path.join(root, `shared/file-${index}.${index % 2 ? 'css' : 'ts'}`), '');
    expect(checkRooms(root).found).toEqual([
      { file: 'shared/a.ts', line: 1, message: 'is in a cycle of imports: shared/a.ts, shared/b.ts' },
      { file: 'shared', line: 1, message: 'has 21 files, and 20 is the most' },
    ]);
  });

  it('finds a function that is too long, and all long ones if there are too many', () => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, 'build'));
    fs.writeFileSync(path.join(root, 'build/rooms.json'), JSON.stringify({ rooms: { shared: ['*'] }, names: [] }));
    fs.mkdirSync(path.join(root, 'shared'));
    const write = (file: string, lines: number, count: number) => {
      const text = `const run = () => {${'\n'.repeat(lines - 1)}};\n`;
      fs.writeFileSync(path.join(root, 'shared', file), `\n${text.repeat(count)}`);
    };
    const places = () => checkRooms(root).found.map(({ file, line }) => `${file}:${line}`);
    write('a.ts', 61, 1);
    write('b.ts', 60, 9);
    expect(places()).toEqual(['shared/a.ts:2']);
    write('a.ts', 40, 1);
    expect(places()).toEqual([]);
    write('b.ts', 41, 11);
    expect(places()).toHaveLength(11);
  });

  it('finds nothing in this project', () => {
    expect(checkRooms(path.resolve('.')).found).toEqual([]);
  });
});
