import { NO_TIMINGS, type Timings } from '../../../../shared/model/timings.ts';
import { measureIn, objectIn } from '../loose-json.ts';
import type { OwnWords } from './own-words.ts';

/** The phases of an entry. A phase that the file does not have is unknown (-1). */
export function timingsIn(entry: unknown, words: OwnWords | null): Timings {
  const { timings, time } = objectIn(entry);
  const given = objectIn(timings);
  const phases = {
    blocked: measureIn(given.blocked),
    dns: measureIn(given.dns),
    connect: measureIn(given.connect),
    ssl: measureIn(given.ssl),
    send: measureIn(given.send),
    wait: measureIn(given.wait),
    receive: measureIn(given.receive),
  };
  if (words === null) return foreignTimings(phases, measureIn(time));
  const { overheadRequest, overheadResponse, failedTries, rulesRequest, rulesSend, rulesResponse } = words;
  const missing = Object.fromEntries(words.notReached.map((phase) => [phase, -1]));
  return {
    ...phases,
    ...missing,
    overheadRequest,
    overheadResponse,
    failedTries,
    rules: rulesRequest,
    rulesSend,
    rulesResponse,
    unsplit: hasNone({ ...phases, ...missing }) ? unsplitOf(measureIn(time)) : -1,
  };
}

/** Of another program. Some write no phases, or a 0 for each of them, which none takes: no phase is known then. */
function foreignTimings(phases: Phases, time: number): Timings {
  if (Object.values(phases).every((phase) => phase <= 0)) return { ...NO_TIMINGS, unsplit: unsplitOf(time) };
  return { ...NO_TIMINGS, ...phases, connect: withSsl(phases, time) };
}

function hasNone(phases: Phases): boolean {
  return Object.values(phases).every((phase) => phase < 0);
}

/** HAR has no unknown time: a 0 without phases is one. */
function unsplitOf(time: number): number {
  return time > 0 ? time : -1;
}

type Phases = Pick<Timings, 'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive'>;

/**
 * `connect` contains `ssl` (HAR 1.2), but Firefox writes them side by side: the sum that is closer to the entry's time
 * decides.
 */
function withSsl({ ssl, connect, ...others }: Phases, time: number): number {
  if (ssl <= 0 || time < 0) return connect < 0 ? ssl : connect;
  const rest = Object.values(others).reduce((sum, phase) => sum + Math.max(phase, 0), Math.max(connect, 0));
  const isApart = Math.abs(rest + ssl - time) < Math.abs(rest - time);
  return isApart || connect < ssl ? Math.max(connect, 0) + ssl : connect;
}
