import type { Settings } from '../../../../shared/model/settings.ts';
import { connectDelay } from '../retry-policy.ts';
import type { ReachedAddresses } from './reached-addresses.ts';
import type { ConnectSchedule } from './try-connecting.ts';

/** The retry policy for attempts to connect, using what this session knows about each address. */
export function connectSchedule(
  reached: ReachedAddresses,
  settings: () => Pick<Settings, 'retry' | 'retryRefused'>,
): ConnectSchedule {
  return (failed, { retry, refusedAt }) => {
    const refused = refusedAt !== null;
    return connectDelay(
      failed,
      { retryable: retry, refused, reachedBefore: refused && reached.has(refusedAt) },
      settings(),
    );
  };
}
