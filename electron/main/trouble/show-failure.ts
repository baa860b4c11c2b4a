import { dialog } from 'electron';
import { InspectorError } from '../../../shared/contract/envelope.ts';
import { problemOf } from '../../commands/dispatch.ts';

/** Shows a failure with its code. `dialog.showErrorBox` would block the host's thread until it is closed. */
export async function showFailure(title: string, error: unknown): Promise<void> {
  const { code, message } = error instanceof InspectorError ? error : problemOf(error);
  await dialog.showMessageBox({ type: 'error', message: title, detail: `${message}\n\n(${code})` });
}
