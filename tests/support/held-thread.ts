import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

/** The thread of the source `of`. Its code loads once `release` is called, as on a machine that is busy until then. */
export function heldThread(of: string): { folder: string; file: string; release: () => void } {
  const folder = temporaryFolder();
  const [file, gate] = [path.join(folder, `${path.parse(of).name}.cjs`), path.join(folder, 'gate')];
  const lines = [
    "const fs = require('node:fs');",
    'const cell = new Int32Array(new SharedArrayBuffer(4));',
    `while (!fs.existsSync(${JSON.stringify(gate)})) Atomics.wait(cell, 0, 0, 5);`,
    `import(${JSON.stringify(pathToFileURL(of).href)});`,
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return { folder, file, release: () => fs.writeFileSync(gate, '') };
}
