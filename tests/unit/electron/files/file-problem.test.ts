import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fileProblem } from '../../../../electron/files/file-problem.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const error = (code: string) => Object.assign(new Error(code), { code });

it.each([
  ['EACCES', (folder: string) => `you may not write to the folder ${folder}`],
  ['EROFS', (folder: string) => `the folder ${folder} is read-only`],
])('names the folder that refuses a new one in it: %s', (code, sentence) => {
  const folder = temporaryFolder();
  expect(fileProblem(error(code), path.join(folder, 'sessions', 'a.roundtrip'))).toBe(sentence(folder));
});

it('names the file that stands where a folder should', () => {
  const file = path.join(temporaryFolder(), 'data');
  fs.writeFileSync(file, '');
  expect(fileProblem(error('ENOTDIR'), path.join(file, 'sessions', 'a.roundtrip'))).toBe(`${file} is not a folder`);
});

it('names the folder that is missing', () => {
  const folder = path.join(temporaryFolder(), 'gone');
  expect(fileProblem(error('ENOENT'), path.join(folder, 'a.har'))).toBe(`the folder ${folder} does not exist`);
});
