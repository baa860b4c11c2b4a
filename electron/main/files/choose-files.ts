import { dialog } from 'electron';
import { showFailure } from '../trouble/show-failure.ts';
import type { FileOpener } from './open-files.ts';

const OPENED = ['roundtrip', 'har', 'chlsj', 'saz', 'flow', 'chls'];

/** Lets the user choose files to open. */
export async function chooseFiles(opener: FileOpener): Promise<void> {
  const filters = [{ name: 'Recordings', extensions: OPENED }];
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'], filters });
  opener.open(filePaths);
}

/** Lets the user choose a session file, and shows why it could not be used. */
export async function chooseSession(then: (file: string) => Promise<unknown>): Promise<void> {
  const filters = [{ name: 'Roundtrip session', extensions: ['roundtrip'] }];
  const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile'], filters });
  const [file] = filePaths;
  if (file === undefined) return;
  await then(file).catch((error: unknown) => showFailure('The session could not be opened', error));
}
