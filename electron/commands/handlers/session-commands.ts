import { COMPARISON_LIMIT } from '../../../shared/contract/requests/session-requests.ts';
import type { InputOf, OutputOf, ReplyOf } from '../../../shared/contract/requests.ts';
import type { Comparison } from '../../../shared/model/compare/comparison.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Subscribes before it reads the sequence, which avoids missing a batch: one that arrives before the reply is newer
 * than `sequence`, and the window holds it back.
 */
async function sequenceFor({ host, windows, window }: CommandContext): Promise<number> {
  windows.subscribe(window, true);
  return await host.recording.setFeedWanted(true);
}

export async function subscribe(context: CommandContext): Promise<OutputOf<'feed.subscribe'>> {
  const sequence = await sequenceFor(context);
  return { session: await context.host.recording.recorded.info(), sequence, at: Date.now() };
}

/** One round trip instead of three, before which a window would show nothing. */
export async function openFeed({ rows }: InputOf<'feed.open'>, context: CommandContext): Promise<ReplyOf<'feed.open'>> {
  const sequence = await sequenceFor(context);
  return { ...(await context.host.recording.recorded.opening(rows)), sequence, at: Date.now() };
}

/** Rejects with `session.not-open`, without clearing anything, if another session is now being recorded. */
export async function clearSession(
  { session }: InputOf<'session.clear'>,
  { host }: CommandContext,
): Promise<SessionInfo> {
  const { id } = await host.recording.recorded.info();
  if (id !== session) throw roundtripError('session.not-open', {});
  return await host.recording.clearSession();
}

/** Rejects with `session.not-open` or `compare.bad-filter`. */
export async function compareSessions(
  { session, other, ignored }: InputOf<'sessions.compare'>,
  { host }: CommandContext,
): Promise<Comparison> {
  // Also writes pending data of the session that is being recorded: the other's thread reads its file.
  const { path } = await host.sessions.of(other).info();
  const job = { other: path, otherSession: other, ignored, limit: COMPARISON_LIMIT };
  return await host.sessions.of(session).compare(job);
}

/** Notifies every window, this one too. Rejects with `session.not-open` or `session.edit-failed`. */
export async function editSession(
  { session, edit }: InputOf<'session.edit'>,
  { host, windows }: CommandContext,
): Promise<Record<string, never>> {
  await host.sessions.of(session).edit(edit);
  windows.notifyAll('session.edited', { session });
  return {};
}
