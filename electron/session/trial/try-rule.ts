import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { TRIAL_HITS, type Trial, type TrialHit } from '../../../shared/model/rule/trial.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { changesOf } from './tried-changes.ts';

/** Rows read at once. */
const PAGE = 250;

/**
 * Runs a rule over all exchanges of a session, oldest first, without its limit and its scripts. Nothing is sent. Rejects
 * with `search.bad-filter` or the signal's reason. `rule`: its paths are absolute.
 */
export async function tryRule(reader: SessionReader, rule: Rule, signal: AbortSignal): Promise<Trial> {
  const filter = compileFilter(rule.when);
  if (!filter.ok) throw roundtripError('search.bad-filter', { query: rule.when, detail: filter.problem.message });
  const trial: Trial = { searched: 0, matching: 0, hits: [] };
  for (let [after, more] = [0, true]; more; ) {
    const page = reader.page(after, PAGE);
    const matching = page.rows.filter(filter.matches);
    for (const { id } of matching.slice(0, TRIAL_HITS - trial.hits.length))
      trial.hits.push(await hit(reader, id, rule));
    trial.searched += page.rows.length;
    trial.matching += matching.length;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
    // Other calls, and the one that stops this, are answered here.
    await nextTurn();
    signal.throwIfAborted();
  }
  return trial;
}

async function hit(reader: SessionReader, id: number, rule: Rule): Promise<TrialHit> {
  const exchange = reader.get(id);
  const { request, response } = exchange;
  const shown = { id, method: request.method, url: urlOf(request), status: response?.status ?? 0 };
  try {
    return { ...shown, ...(await changesOf(exchange, rule.do, (side) => [...reader.bodyPieces(id, side)])) };
  } catch (error) {
    // Such as a file of an answer that is not there.
    return { ...shown, diffs: [], problem: describe(error) };
  }
}
