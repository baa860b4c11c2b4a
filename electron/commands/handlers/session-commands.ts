import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Subscribed first and described then, so that no batch falls between: one that comes before the answer is newer than
 * `sequence`, and the window parks it.
 */
export async function subscribe({ host, windows, window }: CommandContext): Promise<OutputOf<'feed.subscribe'>> {
  windows.subscribe(window, true);
  const sequence = await host.recording.setFeedWanted(true);
  return { session: await host.recording.recorded.info(), sequence, at: Date.now() };
}

/** Rejects with `session.not-open` where another session is being recorded by now, and nothing is cleared. */
export async function clearSession(
  { session }: InputOf<'session.clear'>,
  { host }: CommandContext,
): Promise<SessionInfo> {
  const { id } = await host.recording.recorded.info();
  if (id !== session) throw roundtripError('session.not-open', {});
  return await host.recording.clearSession();
}
