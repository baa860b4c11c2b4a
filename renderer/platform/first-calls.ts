import type { Call } from '../../shared/contract/envelope.ts';
import type { InputOf, RequestName } from '../../shared/contract/requests.ts';

/** Rows that a window reads first: more than it shows at once, and few enough to arrive within a frame or two. */
export const NEWEST_ROWS = 500;

/** A call without its number. */
export type Question = Omit<Call, 'call'>;

function question<N extends RequestName>(name: N, input: InputOf<N>): Question {
  return { name, input };
}

/** The first calls of each window. The rows come first, because the others take less time. */
export const FIRST_CALLS: readonly Question[] = [
  question('feed.subscribe', {}),
  question('settings.get', {}),
  question('engine.status', {}),
  question('app.info', {}),
  question('clients.list', {}),
];

/** The calls of each window about the session that it subscribed to. */
export function sessionCalls(session: string): readonly Question[] {
  return [
    question('session.edits', { session }),
    question('exchanges.rows', { session, after: null, limit: NEWEST_ROWS }),
  ];
}
