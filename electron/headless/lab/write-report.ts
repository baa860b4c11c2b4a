import { roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { UserFile, writeUserFile } from '../../files/user-file.ts';

async function guarded(file: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw roundtripError('lab.report-failed', { path: file, detail: fileProblem(error, file) }, systemCode(error));
  }
}

/** Checks before minutes of measuring that the report can be written. Rejects with `lab.report-failed`. */
export async function checkReport(file: string): Promise<void> {
  await guarded(file, UserFile.check(file));
}

/** Rejects with `lab.report-failed`. */
export async function writeReport(file: string, html: string): Promise<void> {
  await guarded(file, writeUserFile(file, Buffer.from(html)));
}
