import type { ClientStream } from '../http/client-stream.ts';
import type { Breakpoint } from './edits/breakpoint.ts';
import type { StreamEdits } from './edits/stream-edits.ts';
import type { UpstreamRequest } from './edits/upstream-request.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { ScriptStage } from './scripts/script-stage.ts';

/** What the pipes of one exchange work with. */
export interface PipeParts {
  client: ClientStream;
  request: UpstreamRequest;
  clock: ExchangeClock;
  log: ExchangeLog;
  breakpoint: Breakpoint;
  scripts: ScriptStage;
  stream: StreamEdits;
}
