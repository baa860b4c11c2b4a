import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import type { Window } from '../windows.ts';
import type { CommandContext } from './command-context.ts';

/** Rejects as `LabRunner.run` does. */
export async function runLab(
  { session, options }: InputOf<'lab.run'>,
  { host, window }: CommandContext,
): Promise<OutputOf<'lab.run'>> {
  const cancelling = new AbortController();
  const { path } = await host.sessions.of(session).info();
  window.measuring ??= cancelling;
  try {
    return await host.lab.run(path, options, (progress) => window.notify('lab.progress', progress), cancelling.signal);
  } finally {
    if (window.measuring === cancelling) window.measuring = null;
  }
}

export function cancelLab(window: Window): Record<string, never> {
  window.measuring?.abort();
  return {};
}
