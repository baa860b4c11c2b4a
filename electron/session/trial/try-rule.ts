import { setImmediate as nextTurn } from 'node:timers/promises';
import { compile } from '../../../shared/filter/compile.ts';
import type { Query } from '../../../shared/filter/query.ts';
import { fieldsFor, parseRuleQuery } from '../../../shared/filter/rule-query.ts';
import { decide } from '../../../shared/filter/search.ts';
import { redactExchange } from '../../../shared/format/redact/redaction.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import type { RunScript } from '../../../shared/model/rule/script-call.ts';
import { TRIAL_HITS, type Trial, type TrialHit } from '../../../shared/model/rule/trial.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { changesOf } from './tried-changes.ts';

/** Rows read at once. */
const PAGE = 250;

export interface TrialOptions {
  /** Runs the rule's scripts, which keep their variables from one exchange to the next. */
  run: RunScript;
  /** Removes secrets before the rule sees an exchange: what it copies then holds none. */
  redact: boolean;
  signal: AbortSignal;
}

/**
 * Runs a rule over all exchanges of a session, oldest first, without its limit. Nothing is sent. Rejects with
 * `search.bad-filter` or the signal's reason. `rule`: its paths are absolute.
 */
export async function tryRule(reader: SessionReader, rule: Rule, options: TrialOptions): Promise<Trial> {
  const { signal } = options;
  const parsed = parseRuleQuery(rule.when);
  if (!parsed.ok) throw roundtripError('search.bad-filter', { query: rule.when, detail: parsed.problem.message });
  const connections = new ConnectionCache();
  const trial: Trial = { searched: 0, matching: 0, hits: [] };
  for (let [after, more] = [0, true]; more; ) {
    const page = reader.page(after, PAGE);
    const matching = matchingRows(reader, page.rows, { rule, query: parsed.query, connections });
    for (const { id } of matching.slice(0, TRIAL_HITS - trial.hits.length)) {
      trial.hits.push(await hit(reader, id, rule, options));
      signal.throwIfAborted();
    }
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

/** Reads the fields only of rows that do not decide alone. */
function matchingRows(
  reader: SessionReader,
  rows: readonly ExchangeSummary[],
  { rule, query, connections }: { rule: Rule; query: Query; connections: ConnectionCache },
): ExchangeSummary[] {
  const open = rows.filter((row) => decide(query, row) === null);
  const exchanges = new Map(
    open.length === 0 ? [] : reader.exchanges(open, connections).map((each) => [each.id, each]),
  );
  const matches = compile(query);
  return rows.filter((row) => {
    const exchange = exchanges.get(row.id);
    return exchange ? matches(row, fieldsFor(rule, exchange)) : decide(query, row) === true;
  });
}

async function hit(reader: SessionReader, id: number, rule: Rule, { run, redact }: TrialOptions): Promise<TrialHit> {
  const recorded = reader.get(id);
  const exchange = redact ? redactExchange(recorded).exchange : recorded;
  const { request, response } = exchange;
  const shown = { id, method: request.method, url: urlOf(request), status: response?.status ?? 0 };
  try {
    const bodies = { pieces: (side: RecordedSide) => [...reader.bodyPieces(id, side)], redact };
    return { ...shown, ...(await changesOf(exchange, rule, { bodies, run })) };
  } catch (error) {
    // Such as a missing file of an answer.
    return { ...shown, diffs: [], problem: describe(error), console: [] };
  }
}
