import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { publishFolder } from '../../../support/publish-folder.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const parent = () => {
  const folder = temporaryFolder();
  return (name: string, content: string) => {
    const made = path.join(folder, name);
    fs.mkdirSync(made);
    fs.writeFileSync(path.join(made, 'program'), content);
    return made;
  };
};

it('keeps the folder of the process that was first, and removes the other one', () => {
  const make = parent();
  const [first, second] = [make('a', 'first'), make('b', 'second')];
  const place = path.join(path.dirname(first), 'place');
  publishFolder(first, place, 'program');
  publishFolder(second, place, 'program');
  expect(fs.readFileSync(path.join(place, 'program'), 'utf8')).toBe('first');
  expect([first, second].filter((folder) => fs.existsSync(folder))).toEqual([]);
});

it('names the error if what is there is incomplete', () => {
  const make = parent();
  const [finished, place] = [make('a', 'finished'), make('place', 'part')];
  expect(() => publishFolder(finished, place, 'another')).toThrow(/ENOTEMPTY|EEXIST|EPERM/);
});
