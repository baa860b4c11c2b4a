import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Subscribed first and described then, so that no batch falls between: one that comes before the answer is newer than
 * `sequence`, and the window parks it.
 */
export async function subscribe({ host, windows, window }: CommandContext): Promise<OutputOf<'feed.subscribe'>> {
  windows.subscribe(window, true);
  const sequence = await host.recording.setFeedWanted(true);
  return { session: await host.recording.sessionInfo(), sequence, at: Date.now() };
}

export function clearSession({ host }: CommandContext): Promise<SessionInfo> {
  return host.recording.clearSession();
}
