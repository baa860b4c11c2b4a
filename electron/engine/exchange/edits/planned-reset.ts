import type { Fail } from '../../../../shared/model/rule/actions.ts';
import type { Reset } from '../../http/client-stream.ts';
import { WITHOUT_GOAWAY } from '../../http2/connection-loss.ts';

/** How a rule's failure looks to the client. */
export function resetOf({ how, code }: Fail): Reset {
  if (how === 'rst-stream') return { code, tcpReset: true, lost: 'stream' };
  if (how === 'goaway') return { code, tcpReset: false, lost: { goaway: { code, text: '' }, isWanted: true } };
  return { code: 0, tcpReset: how === 'reset', lost: WITHOUT_GOAWAY };
}
