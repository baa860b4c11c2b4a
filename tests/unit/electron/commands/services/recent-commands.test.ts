import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RecentCommands } from '../../../../../electron/commands/services/recent-commands.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const npm = { command: 'npm test', as: 'command' } as const;
const app = { command: '/opt/App/app', as: 'electron' } as const;

describe('RecentCommands', () => {
  it('lists the latest first, each once, and survives a restart', () => {
    const folder = temporaryFolder();
    const recent = new RecentCommands(folder);
    expect(recent.list()).toEqual([]);
    for (const one of [npm, app, npm, { ...npm, as: 'electron' as const }]) recent.add(one);
    expect(new RecentCommands(folder).list()).toEqual([{ ...npm, as: 'electron' }, npm, app]);
  });

  it('forgets one', () => {
    const recent = new RecentCommands(temporaryFolder());
    recent.add(npm);
    recent.add(app);
    recent.remove(npm);
    expect(recent.list()).toEqual([app]);
  });

  it('keeps twenty, in a file of its user only', () => {
    const folder = temporaryFolder();
    const recent = new RecentCommands(folder);
    for (let count = 0; count < 25; count += 1) recent.add({ command: `echo ${count}`, as: 'command' });
    expect(recent.list()).toHaveLength(20);
    expect(recent.list()[0]?.command).toBe('echo 24');
    expect(fs.statSync(path.join(folder, 'recent-commands.json')).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{', '[{"command":"a\\nb","as":"command"}]', '{"a":1}'])('treats %j as empty', (content) => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'recent-commands.json'), content);
    expect(new RecentCommands(folder).list()).toEqual([]);
  });
});
