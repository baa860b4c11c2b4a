import type { InputOf, OutputOf } from '../../../../shared/contract/requests.ts';
import { describe, roundtripError, systemCode } from '../../../failures/errors.ts';
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

/** Rejects with `session.file-failed`, also on a machine without a desktop. */
export async function revealSession(
  { path }: InputOf<'sessions.reveal'>,
  { host }: CommandContext,
): Promise<Record<string, never>> {
  const file = host.home.find(path);
  try {
    if (host.reveal === null) throw new Error('this Roundtrip has no desktop to show it on');
    await host.reveal(file);
  } catch (error) {
    throw roundtripError('session.file-failed', { path, detail: describe(error) }, systemCode(error));
  }
  return {};
}

export async function describeSession(
  { path, name, note }: InputOf<'sessions.describe'>,
  context: CommandContext,
): Promise<OutputOf<'sessions.recent'>> {
  context.host.home.describe(path, name, note);
  await notifyOfNames(context);
  return { sessions: await context.host.home.recent() };
}

/** Rejects as `SessionHome.record` does. */
export async function recordSession(
  { path }: InputOf<'sessions.record'>,
  context: CommandContext,
): Promise<OutputOf<'sessions.record'>> {
  const info = await context.host.home.record(path);
  await notifyOfNames(context);
  return info;
}

/** Tabs and titles show the names of sessions. */
async function notifyOfNames({ host, windows }: CommandContext): Promise<void> {
  windows.notifyAll('sessions.changed', { sessions: host.home.named(await host.sessions.list()) });
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
