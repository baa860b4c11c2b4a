import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SessionHome } from '../../../../../electron/commands/services/session-home.ts';
import { RunningWork } from '../../../../../electron/files/running-work.ts';
import { startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A home in which the session `a` is open in a tab, and no recording can begin. */
async function start() {
  const dataFolder = temporaryFolder();
  const file = path.join(dataFolder, 'sessions', 'a.roundtrip');
  mkdirSync(path.dirname(file));
  await (await startRecorder(file)).close();
  const info = { id: 'a', path: file, exchanges: 0, bytes: 1 };
  const recorded = { ...info, id: 'recorded', path: path.join(dataFolder, 'recorded.roundtrip') };
  const heard: string[] = [];
  const home = new SessionHome({
    ...{ dataFolder, threadFolder: '', work: new RunningWork() },
    list: async () => [recorded, info],
    open: async (opened) => {
      heard.push(`open ${path.basename(opened)}`);
      return info;
    },
    close: async (id) => void heard.push(`close ${id}`),
    recordInto: () => Promise.reject(new Error('the folder is read-only')),
  });
  return { home, file, heard };
}

test('a session in which no recording can continue stays open', async () => {
  const { home, file, heard } = await start();
  await expect(home.record(file)).rejects.toThrow('the folder is read-only');
  expect(heard).toEqual(['close a', 'open a.roundtrip']);
});

test('a session that can’t be deleted stays open', async () => {
  const { home, file, heard } = await start();
  const recorder = await startRecorder(file);
  await expect(home.remove(file)).rejects.toThrow('it is being recorded');
  expect(heard).toEqual(['close a', 'open a.roundtrip']);
  await recorder.close();
  await home.remove(file);
  expect(heard.slice(2)).toEqual(['close a']);
});
