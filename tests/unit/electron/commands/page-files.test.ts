import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPageFile } from '../../../../electron/commands/page-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function page(): string {
  const folder = path.join(temporaryFolder(), 'renderer');
  fs.mkdirSync(path.join(folder, 'assets'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'index.html'), '<title>ours</title>');
  fs.writeFileSync(path.join(folder, 'assets/main.js'), 'main');
  fs.writeFileSync(path.join(folder, '../secret.json'), 'secret');
  fs.mkdirSync(`${folder}-beside`);
  fs.writeFileSync(path.join(`${folder}-beside`, 'a.js'), 'secret');
  return folder;
}

describe('page files', () => {
  it('reads what is there, with its type', async () => {
    const folder = page();
    expect(await readPageFile(folder, '/')).toMatchObject({ type: 'text/html; charset=utf-8' });
    const file = await readPageFile(folder, '/assets/main.js');
    expect(file?.bytes.toString()).toBe('main');
    expect(file?.type).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    '/../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/assets/../../secret.json',
    '/..\\secret.json',
    '/../renderer-beside/a.js',
    '/%00.js',
    '/%zz.js',
    '/assets',
    '/nothing.js',
    '/index.txt',
  ])('gives nothing for %s', async (pathname) => {
    expect(await readPageFile(page(), pathname)).toBeNull();
  });
});
