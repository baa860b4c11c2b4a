import path from 'node:path';
import { API_VERSION } from '../../shared/contract/api-version.ts';
import type { Failure } from '../../shared/model/failure.ts';
import { failure, systemCode } from '../failures/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { publishRunning } from './running-file.ts';

/**
 * Announces this process to commands that attach to it, and returns a function that ends this. Reports
 * `attach.not-announced` if its file can't be written: recording continues without it.
 */
export function announce(
  dataFolder: string,
  web: { url: string; token: string },
  onFailure: (failure: Failure) => void,
): () => void {
  const running = { ...web, version: API_VERSION, pid: process.pid, startedAt: Date.now() };
  try {
    return publishRunning(dataFolder, running);
  } catch (error) {
    const detail = fileProblem(error, path.join(dataFolder, 'running'));
    onFailure(failure('attach.not-announced', { folder: dataFolder, detail }, systemCode(error)));
    return () => undefined;
  }
}
