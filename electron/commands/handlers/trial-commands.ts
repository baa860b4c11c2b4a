import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Each window has one trial: a new one stops the previous one. Rejects with `search.bad-filter` or `session.not-open`.
 */
export async function tryRule(
  { session, rule, redact }: InputOf<'rules.try'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'rules.try'>> {
  window.trying?.abort();
  const stopping = new AbortController();
  window.trying = stopping;
  const { signal } = stopping;
  try {
    const job = { rule: host.rules.located(rule), redact, signal };
    return { trial: await host.sessions.of(session).tryRule(job) };
  } catch (error) {
    if (signal.aborted) return { trial: null };
    throw error;
  } finally {
    if (window.trying === stopping) window.trying = null;
  }
}

export function stopTrial(window: Window): Record<string, never> {
  window.trying?.abort();
  return {};
}
