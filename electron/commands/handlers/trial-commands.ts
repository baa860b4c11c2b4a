import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';
import { runLatest } from './run-latest.ts';

/**
 * Each window has one trial: a new one stops the previous one. Rejects with `search.bad-filter` or `session.not-open`.
 */
export async function tryRule(
  { session, rule, redact }: InputOf<'rules.try'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'rules.try'>> {
  const trial = await runLatest(window, 'trying', (signal) =>
    host.sessions.of(session).tryRule({ rule: host.rules.located(rule), redact, signal }),
  );
  return { trial };
}

export function stopTrial(window: Window): Record<string, never> {
  window.trying?.abort();
  return {};
}
