import fs from 'node:fs';
import { counted } from '../../shared/format/counts.ts';
import { runAll } from '../commands/run-all.ts';
import { RoundtripError } from '../failures/errors.ts';
import { lostExchanges } from '../failures/lost-exchanges.ts';
import { type Output, sentenceOf } from './output.ts';
import { identityOf } from './session-identity.ts';
import type { StartedHost } from './start-host.ts';
import { type WrittenHar, writeHar } from './write-har.ts';

/** Time for active exchanges to end after the proxy is stopped. Milliseconds. */
export const GRACE = 2000;

/** The result of a recording. */
export interface Finished extends WrittenHar {
  /** Exchanges that could not be written. */
  lost: number;
}

/** Where the recording is now, and the loss of its file if that has not been reported yet. */
interface Place {
  session: string;
  /** Null if the file is still the one that was recorded into. */
  loss: string | null;
}

/** A writer that notices the loss of its file reports it and continues in another; otherwise only the HAR is left. */
async function placeOf({ host, session, sessionIdentity }: StartedHost): Promise<Place> {
  const path = await host.runtime.recorded.info().then(
    (info) => info.path,
    () => session,
  );
  if (path !== session) return { session: path, loss: null };
  const now = identityOf(session);
  if (now === sessionIdentity) return { session, loss: null };
  const what = now === null ? 'removed' : 'replaced';
  return { session, loss: `The session file ${session} was ${what} while it was recorded.` };
}

/** For the message about an end without a HAR; empty if the file does not exist. */
export function keptIn(session: string): string {
  return fs.existsSync(session) ? ` The recording is kept in ${session}.` : '';
}

/** Adds what is kept to the error, and what is lost, unless the error already names the session file. */
function withKept(error: unknown, { session, loss }: Place, lost: number): unknown {
  if (loss !== null) return new Error(`${loss} None of it is kept: the HAR failed too: ${sentenceOf(error)}`);
  const isAboutSession = error instanceof RoundtripError && error.code === 'session.open-failed';
  const losses = lost > 0 ? ` ${lostExchanges(lost)}` : '';
  return isAboutSession ? error : new Error(`${sentenceOf(error)}${keptIn(session)}${losses}`);
}

async function exportTo(har: string, started: StartedHost, output: Output, check: Check | null): Promise<Finished> {
  const { host } = started;
  try {
    const { note, ...counts } = await writeHar(host, har);
    const finished = { ...counts, lost: host.runtime.losses().exchanges };
    await check?.(started.session);
    output.event({ event: 'done', har, ...finished });
    return { ...finished, note };
  } catch (error) {
    throw withKept(error, await placeOf(started), host.runtime.losses().exchanges);
  }
}

/** What to do with the complete session before the end is reported. */
export type Check = (session: string) => Promise<void>;

/** Stops the proxy and writes the HAR. The rejection's message also names what is kept, and where. */
export async function finish(
  started: StartedHost,
  har: string,
  output: Output,
  check: Check | null = null,
): Promise<Finished> {
  let finished: Finished = { exchanges: 0, failed: 0, lost: 0, note: null };
  await runAll(
    () => started.host.stopProxy(GRACE),
    async () => {
      finished = await exportTo(har, started, output, check);
    },
  );
  return finished;
}

/** The summary line of a HAR for text output. */
export function harLine(har: string, { exchanges, failed, lost }: Finished): string {
  const losses = lost > 0 ? `, ${lost} lost` : '';
  return `${har}: ${counted(exchanges, 'exchange')}, ${failed} failed${losses}`;
}

/**
 * `finished`: if a HAR was written. Returns the exit code: 1 for an incomplete recording, because scripts may
 * read only the code.
 */
export async function reportLosses(
  har: string | null,
  started: StartedHost,
  output: Output,
  finished: Finished | null = null,
): Promise<0 | 1> {
  const note = finished?.note ?? null;
  const { exchanges: lost, whole } = started.host.runtime.losses();
  const { loss } = await placeOf(started);
  if (loss !== null) output.problem(har === null ? loss : `${loss} The recording is kept in ${har}.`);
  if (lost > 0) output.problem(lostExchanges(lost));
  if (note !== null) output.problem(note);
  return loss === null && note === null && lost === 0 && whole ? 0 : 1;
}

/** Does the work, then closes the host even after a failure: a remaining thread or server keeps the process alive. */
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
