import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { moduleFacts } from '../../../build/module-imports.ts';
import { breaches, type Rooms, roomOf } from '../../../build/rooms.ts';

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
});
