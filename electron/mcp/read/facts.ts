import { type Fact, factOf } from '../../../shared/insight/fact.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';
import { matchingRows, type RowChoice } from './rows.ts';

/** Exchanges that are read one by one through the API. `roundtrip findings` has no limit. */
const MOST = 5000;
/** Requests under way at once. */
const AT_ONCE = 32;

/** The facts that findings need about the matching exchanges. Rejects with `agents.too-many-rows`. */
export async function matchingFacts(context: AgentContext, choice: RowChoice): Promise<Fact[]> {
  const session = await context.sessionId(choice.session);
  const ids: number[] = [];
  for await (const { id } of matchingRows(context, { ...choice, session })) {
    if (ids.length === MOST) throw roundtripError('agents.too-many-rows', { limit: MOST });
    ids.push(id);
  }
  const facts: Fact[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const batch = ids.slice(at, at + AT_ONCE);
    const exchanges = await context.reads.take(() =>
      Promise.all(batch.map((id) => context.api.request('exchanges.get', { session, id }))),
    );
    facts.push(...exchanges.map((exchange) => factOf(exchange)));
  }
  return facts;
}
