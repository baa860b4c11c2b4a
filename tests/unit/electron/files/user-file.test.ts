import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UserFile, writeUserFile } from '../../../../electron/files/user-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const BYTES = Buffer.from('all of it');
const modeOf = (file: string): number => fs.statSync(file).mode & 0o777;

describe('UserFile', () => {
  it('appears whole, at the end, readable only by its user', async () => {
    const target = path.join(temporaryFolder(), 'new.har');
    const file = await UserFile.create(target);
    await file.write(BYTES);
    expect(fs.existsSync(target)).toBe(false);
    expect(await file.finish()).toBe(BYTES.length);
    expect(fs.readFileSync(target)).toEqual(BYTES);
    expect(modeOf(target)).toBe(0o600);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['new.har']);
  });

  it('keeps the mode of the file that it replaces', async () => {
    const target = path.join(temporaryFolder(), 'old.har');
    fs.writeFileSync(target, 'old');
    fs.chmodSync(target, 0o640);
    await writeUserFile(target, BYTES);
    expect(fs.readFileSync(target)).toEqual(BYTES);
    expect(modeOf(target)).toBe(0o640);
  });

  it('leaves only the old file if it is aborted', async () => {
    const target = path.join(temporaryFolder(), 'old.har');
    fs.writeFileSync(target, 'old');
    const file = await UserFile.create(target);
    await file.write(BYTES);
    await file.discard();
    expect(fs.readFileSync(target, 'utf8')).toBe('old');
    expect(fs.readdirSync(path.dirname(target))).toEqual(['old.har']);
  });

  it('is independent of another one for the same target: one of them wins as a whole', async () => {
    const target = path.join(temporaryFolder(), 'shared.har');
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(300_000));
    await Promise.all(texts.map((text) => writeUserFile(target, Buffer.from(text))));
    expect(texts).toContain(fs.readFileSync(target, 'utf8'));
    expect(fs.readdirSync(path.dirname(target))).toEqual(['shared.har']);
  });

  it('replaces a symbolic link and leaves what it points at', async () => {
    const folder = temporaryFolder();
    const victim = path.join(folder, 'victim');
    fs.writeFileSync(victim, 'precious');
    const target = path.join(folder, 'link.har');
    fs.symlinkSync(victim, target);
    await writeUserFile(target, BYTES);
    expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
    expect(fs.lstatSync(target).isFile()).toBe(true);
  });

  // macOS has none.
  it.skipIf(!fs.existsSync('/dev/full'))('writes to a device directly, and reports that it is full', async () => {
    await writeUserFile('/dev/null', BYTES);
    await expect(writeUserFile('/dev/full', BYTES)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(fs.statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it('refuses a folder and a pipe', async () => {
    const folder = temporaryFolder();
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(UserFile.check(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(UserFile.check(pipe)).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(UserFile.check(path.join(folder, 'none', 'x'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(fs.readdirSync(folder)).toEqual(['pipe']);
  });
});
