import type { Fact } from '../../../shared/insight/fact.ts';
import { factOf } from '../../../shared/insight/fact-from.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';
import { matchingRows, type RowChoice } from './rows.ts';

/** Exchanges that are read one by one through the API. `roundtrip findings` has no limit. */
const MOST = 5000;
/** Requests under way at once. */
const AT_ONCE = 32;

/** Null: the exchange's row is damaged. The others count without it. */
async function factAt({ api }: AgentContext, session: string, id: number): Promise<Fact | null> {
  try {
    return factOf(await api.request('exchanges.get', { session, id }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'session.row-damaged') return null;
    throw error;
  }
}

/**
 * The facts that findings need about the matching exchanges, and how many exchanges were left out because their rows
 * are damaged. Rejects with `agents.too-many-rows`.
 */
export async function matchingFacts(
  context: AgentContext,
  choice: RowChoice,
): Promise<{ facts: Fact[]; damaged: number }> {
  const session = await context.sessionId(choice.session);
  const ids: number[] = [];
  let damaged = 0;
  const onDamaged = (rows: number) => {
    damaged += rows;
  };
  for await (const { id } of matchingRows(context, { ...choice, session, onDamaged })) {
    if (ids.length === MOST) throw roundtripError('agents.too-many-rows', { limit: MOST });
    ids.push(id);
  }
  const facts: Fact[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const batch = ids.slice(at, at + AT_ONCE);
    const found = await context.reads.take(() => Promise.all(batch.map((id) => factAt(context, session, id))));
    facts.push(...found.filter((fact) => fact !== null));
  }
  return { facts, damaged: damaged + ids.length - facts.length };
}
