import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Subscribes before it reads the sequence, so that no batch is missed: one that arrives before the reply is newer than
 * `sequence`, and the window holds it back.
 */
export async function subscribe({ host, windows, window }: CommandContext): Promise<OutputOf<'feed.subscribe'>> {
  windows.subscribe(window, true);
  const sequence = await host.recording.setFeedWanted(true);
  return { session: await host.recording.recorded.info(), sequence, at: Date.now() };
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
