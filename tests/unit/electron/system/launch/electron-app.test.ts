import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { electronCommand, electronSwitches } from '../../../../../electron/system/launch/electron-app.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('electronCommand', () => {
  it('puts the switches after a command as typed', () => {
    const switches = electronSwitches('http://127.0.0.1:8866', 'HASH=');
    expect(electronCommand('npm start --', switches)).toContain(
      'npm start -- --proxy-server=http://127.0.0.1:8866 "--proxy-bypass-list=<-loopback>" ' +
        '--ignore-certificate-errors-spki-list=HASH= --disable-quic',
    );
  });

  it('takes the path of a program, blanks included', () => {
    const program = path.join(temporaryFolder(), 'Some App');
    fs.writeFileSync(program, '');
    expect(electronCommand(program, '--x')).toBe(`"${program}" --x`);
    expect(electronCommand(`${program}.missing --y`, '--x')).toBe(`${program}.missing --y --x`);
  });

  it.each([
    ['named like the app', ['Helper', 'Some App'], 'Some App'],
    ['of another name', ['Electron'], 'Electron'],
  ])("finds a macOS app's program %s", (_, programs, own) => {
    const app = path.join(temporaryFolder(), 'Some App.app');
    fs.mkdirSync(path.join(app, 'Contents/MacOS'), { recursive: true });
    for (const name of programs) fs.writeFileSync(path.join(app, 'Contents/MacOS', name), '');
    expect(electronCommand(app, '--x')).toBe(`"${path.join(app, 'Contents/MacOS', own)}" --x`);
    expect(electronCommand(`${app}/`, '--x')).toBe(`"${path.join(app, 'Contents/MacOS', own)}" --x`);
  });
});
