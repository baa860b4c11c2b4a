import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';
import { runLatest } from './run-latest.ts';

/**
 * Each window has one search: a new one stops the previous one. Rejects with `search.bad-filter` or `session.not-open`.
 */
export async function startSearch(
  { session, query, search }: InputOf<'search.start'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'search.start'>> {
  const ran = await runLatest(window, 'searching', async (signal) => {
    await host.sessions.of(session).search({
      query,
      signal,
      onProgress: (progress) => !signal.aborted && window.notify('search.progress', { search, ...progress }),
    });
    return { stopped: false };
  });
  return ran ?? { stopped: true };
}

export function stopSearch(window: Window): Record<string, never> {
  window.searching?.abort();
  return {};
}
