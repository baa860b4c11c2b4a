import type { InputOf, SavedFile } from '../../../shared/contract/requests.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { FileTarget, HarJob, ReadableSession } from '../host-services.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';

/** `roundtrip-2026-11-20-2247.har`: sorts by time and is a valid file name on Windows. */
function harName(now: Date): string {
  const [date, time] = now.toISOString().split('T');
  return `roundtrip-${date}-${time?.slice(0, 5).replace(':', '')}.har`;
}

async function writeHar(target: FileTarget, job: Omit<HarJob, 'path'>, from: ReadableSession): Promise<SavedFile> {
  try {
    return await target.finish(await from.exportHar({ ...job, path: target.path }));
  } catch (error) {
    await target.discard();
    if (job.signal.aborted) return { status: 'cancelled' };
    throw error;
  }
}

/** Each window can run one export at a time. Rejects with `har.busy` or `har.write-failed`. */
export async function exportHar(
  { session, ...selection }: InputOf<'har.export'>,
  context: CommandContext,
): Promise<SavedFile> {
  const { host, window } = context;
  if (window.exporting) throw roundtripError('har.busy', {});
  const cancelling = new AbortController();
  window.exporting = cancelling;
  try {
    const suggestion = { name: harName(new Date()), extension: 'har', description: 'HTTP Archive (HAR)' };
    const target = await host.files.choose(suggestion);
    if (target === null) return { status: 'cancelled' };
    const onProgress: HarJob['onProgress'] = (written, total) => window.notify('har.progress', { written, total });
    return await writeHar(target, { selection, signal: cancelling.signal, onProgress }, host.sessions.of(session));
  } finally {
    window.exporting = null;
  }
}

export function cancelHar(window: Window): Record<string, never> {
  window.exporting?.abort();
  return {};
}
