import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { SavedFile } from '../../../shared/contract/saved-file.ts';
import type { IdRange } from '../../../shared/model/edits/session-edits.ts';
import { EXPORT_FORMAT_INFO } from '../../../shared/model/export/export-format.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { ExportTask } from '../../worker/recording-types.ts';
import type { FileTarget, ReadableSession } from '../host-services.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';
import { runLatest } from './run-latest.ts';

/** `roundtrip-2026-11-20-2247.har`: sorts by time and is a valid file name on Windows. */
function exportName(now: Date, extension: string): string {
  const [date, time] = now.toISOString().split('T');
  return `roundtrip-${date}-${time?.slice(0, 5).replace(':', '')}.${extension}`;
}

async function write(target: FileTarget, job: Omit<ExportTask, 'path'>, from: ReadableSession): Promise<SavedFile> {
  try {
    return await target.finish(await from.export({ ...job, path: target.path }));
  } catch (error) {
    await target.discard();
    if (job.signal.aborted) return { status: 'cancelled' };
    throw error;
  }
}

/** Ranges of ids: every second row of two million. */
const MOST_RANGES = 1_000_000;

export function addIds({ ids }: InputOf<'export.ids'>, window: Window): Record<string, never> {
  if (window.chosenIds.length + ids.length > MOST_RANGES) {
    window.chosenIds = [];
    throw roundtripError('export.failed', { path: 'a file', detail: 'too many separate rows are chosen' });
  }
  window.chosenIds.push(...ids);
  return {};
}

/** The ids of this request, after those that the window sent before. */
function takeIds(ids: IdRange[] | null, window: Window): IdRange[] | null {
  const before = window.chosenIds;
  window.chosenIds = [];
  return ids === null || before.length === 0 ? ids : before.concat(ids);
}

/** Each window can run one export at a time. Rejects with `har.busy`, or with the format's own failures. */
export async function exportSession(
  { session, ...input }: InputOf<'session.export'>,
  { host, window }: CommandContext,
): Promise<SavedFile> {
  const selection = { ...input, ids: takeIds(input.ids, window) };
  if (window.exporting) throw roundtripError('har.busy', {});
  const cancelling = new AbortController();
  window.exporting = cancelling;
  try {
    const { extension, description } = EXPORT_FORMAT_INFO[selection.format];
    const target = await host.files.choose({ name: exportName(new Date(), extension), extension, description });
    if (target === null) return { status: 'cancelled' };
    const onProgress: ExportTask['onProgress'] = (written, total) => window.notify('har.progress', { written, total });
    return await write(target, { selection, signal: cancelling.signal, onProgress }, host.sessions.of(session));
  } finally {
    window.exporting = null;
  }
}

/** As above. */
export function exportHar(input: InputOf<'har.export'>, context: CommandContext): Promise<SavedFile> {
  return exportSession({ ...input, format: 'har', ids: null, patterns: [] }, context);
}

export function cancelExport(window: Window): Record<string, never> {
  window.exporting?.abort();
  return {};
}

/** Each window has one preview: a new one stops the previous one. Rejects with `session.not-open`. */
export async function previewExport(
  { session, ...input }: InputOf<'export.preview'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'export.preview'>> {
  const choice = { ...input, ids: takeIds(input.ids, window) };
  const preview = await runLatest(window, 'previewing', (signal) =>
    host.sessions.of(session).previewRedaction({ choice, signal }),
  );
  return preview ? { stopped: false, ...preview } : { stopped: true, exchanges: 0, replaced: [], lines: 0 };
}

export function stopPreview(window: Window): Record<string, never> {
  window.previewing?.abort();
  return {};
}
