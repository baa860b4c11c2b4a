import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOwnFile } from '../../../../electron/files/own-file.ts';
import { hasProgram } from '../../../support/has-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('a file of ours', () => {
  it('is read, or is not there', () => {
    const file = path.join(temporaryFolder(), 'settings.json');
    expect(readOwnFile(file)).toBeNull();
    fs.writeFileSync(file, '{}');
    expect(String(readOwnFile(file))).toBe('{}');
  });

  it.skipIf(!hasProgram('mkfifo', '--version'))('is not a pipe, which nobody may ever write to', () => {
    const file = path.join(temporaryFolder(), 'settings.json');
    spawnSync('mkfifo', [file]);
    expect(() => readOwnFile(file)).toThrow('it is not a regular file');
  });
});
