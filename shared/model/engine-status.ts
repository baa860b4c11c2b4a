import * as v from 'valibot';
import { FailureSchema } from './failure.ts';
import { ReverseStatusSchema } from './proxy/reverse.ts';
import { RuleHitsSchema } from './rule/rule-state.ts';

export const EngineStatusSchema = v.object({
  /**
   * `failed`: not running; `failure` has the reason and the fix. `restarting`: its thread died and is being started
   * again.
   */
  state: v.picklist(['starting', 'running', 'restarting', 'failed']),
  /** `http://127.0.0.1:8080`, empty while not listening. */
  proxyUrl: v.string(),
  failure: v.nullable(FailureSchema),
  /** The state of the settings' `reverse`. */
  reverse: v.array(ReverseStatusSchema),
  /** Why nothing can currently be written to the session file. */
  recordingFailure: v.nullable(FailureSchema),
  /** Exchanges that wait in memory until it can; 0 while nothing is wrong. */
  waiting: v.number(),
  /** Exchanges that were lost because it could not, since the program started. */
  lost: v.number(),
  /** Resident memory of the whole host process, bytes. */
  memory: v.number(),
  /** Open connections, from clients and to upstream. */
  clientConnections: v.number(),
  upstreamConnections: v.number(),
  /** Body bytes not kept because the disk could not keep up, since the session began. */
  bytesNotKept: v.number(),
  /** Rules that have matched, in the order of the list. */
  ruleHits: v.array(RuleHitsSchema),
});
export type EngineStatus = v.InferOutput<typeof EngineStatusSchema>;
