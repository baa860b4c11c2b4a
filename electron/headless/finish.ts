import fs from 'node:fs';
import { runAll } from '../commands/run-all.ts';
import { RoundtripError } from '../engine/errors.ts';
import { type Output, sentenceOf } from './output.ts';
import type { StartedHost } from './start-host.ts';
import { writeHar } from './write-har.ts';

/** What exchanges under way get to end once the proxy is told to stop; milliseconds. */
export const GRACE = 2000;

/** What came of a recording. */
export interface Finished {
  exchanges: number;
  failed: number;
  /** Exchanges that could not be written. */
  lost: number;
}

/** What is left of the recording, for the line about a failed finish. */
export function keptIn(session: string): string {
  return fs.existsSync(session)
    ? `The recording is kept in ${session}.`
    : `The session file ${session} is gone, and the recording with it.`;
}

/** Says what is kept, unless the failure is about the session file and names it. */
function withKept(error: unknown, session: string): unknown {
  if (!(error instanceof RoundtripError) || error.code !== 'session.open-failed')
    return new Error(`${sentenceOf(error)} ${keptIn(session)}`);
  return fs.existsSync(session) ? error : new Error(keptIn(session));
}

async function exportTo(har: string, { host, session }: StartedHost, output: Output): Promise<Finished> {
  try {
    const finished = { ...(await writeHar(host, har)), lost: host.runtime.losses().exchanges };
    output.event({ event: 'done', har, ...finished });
    return finished;
  } catch (error) {
    throw withKept(error, session);
  }
}

/** Stops the proxy and writes the HAR. Rejects with a sentence that also says what is kept, and where. */
export async function finish(started: StartedHost, har: string, output: Output): Promise<Finished> {
  let finished: Finished = { exchanges: 0, failed: 0, lost: 0 };
  await runAll(
    () => started.host.stopProxy(GRACE),
    async () => {
      finished = await exportTo(har, started, output);
    },
  );
  return finished;
}

/** The line about a HAR for people. */
export function harLine(har: string, { exchanges, failed, lost }: Finished): string {
  const losses = lost > 0 ? `, ${lost} lost` : '';
  return `${har}: ${exchanges} exchanges, ${failed} failed${losses}`;
}

/** Gives the exit code: a recording that is not whole is a failure, also for whoever reads only that. */
export function reportLosses(lost: number, output: Output): 0 | 1 {
  if (lost === 0) return 0;
  output.problem(`${lost} exchanges could not be written to the session file and are lost.`);
  return 1;
}

/** Does the work, and then closes the host whatever came of it: a thread or server left behind would keep the process. */
export async function withHost<T>(started: StartedHost, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // The first failure is the cause.
    await started.close().catch(() => undefined);
    throw error;
  }
  await started.close();
  return result;
}
