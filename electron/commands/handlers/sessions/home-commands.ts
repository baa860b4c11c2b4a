import type { InputOf, OutputOf } from '../../../../shared/contract/requests.ts';
import { roundtripError } from '../../../failures/errors.ts';
import type { CommandContext } from '../command-context.ts';

/** Each window can run one import at a time: another one cancels it. Rejects as `SessionHome.openAny` does. */
export async function importSession(
  { path }: InputOf<'sessions.import'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'sessions.import'>> {
  window.importing?.abort();
  const cancelling = new AbortController();
  window.importing = cancelling;
  try {
    const onProgress = (read: number, total: number) => window.notify('import.progress', { read, total });
    return await host.home.openAny(path, onProgress, cancelling.signal);
  } finally {
    if (window.importing === cancelling) window.importing = null;
  }
}

/** Throws `session.file-failed`, also in a host without a desktop. */
export function revealSession({ path }: InputOf<'sessions.reveal'>, { host }: CommandContext): Record<string, never> {
  const file = host.home.find(path);
  if (host.reveal === null)
    throw roundtripError('session.file-failed', { path, detail: 'only the desktop app shows files in their folder' });
  host.reveal(file);
  return {};
}

export async function describeSession(
  { path, name, note }: InputOf<'sessions.describe'>,
  { host, windows }: CommandContext,
): Promise<OutputOf<'sessions.recent'>> {
  host.home.describe(path, name, note);
  // Its tabs show the name too.
  windows.notifyAll('sessions.changed', { sessions: host.home.named(await host.sessions.list()) });
  return { sessions: await host.home.recent() };
}

export async function duplicateSession(
  { path }: InputOf<'sessions.duplicate'>,
  { host }: CommandContext,
): Promise<OutputOf<'sessions.recent'>> {
  await host.home.duplicate(path);
  return { sessions: await host.home.recent() };
}

export async function removeSession(
  { path }: InputOf<'sessions.remove'>,
  { host }: CommandContext,
): Promise<OutputOf<'sessions.recent'>> {
  await host.home.remove(path);
  return { sessions: await host.home.recent() };
}
