import { CHANGE_KINDS, type ChangeKind, type Ignored } from '../../../shared/model/compare/comparison.ts';
import { BadArguments } from '../bad-arguments.ts';

export interface CompareCommand {
  command: 'compare';
  /** Paths of the two sessions, as given. */
  before: string;
  after: string;
  ignored: Ignored;
  json: boolean;
}

interface CompareValues {
  json?: boolean | undefined;
  ignore?: string[] | undefined;
  'ignore-change'?: string[] | undefined;
}

/** Throws `BadArguments`. */
export function compareCommand(values: CompareValues, positionals: readonly string[]): CompareCommand {
  const [before, after, ...rest] = positionals;
  if (!before || !after) throw new BadArguments('compare needs two sessions: roundtrip compare A B');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  const queries = values.ignore ?? [];
  if (queries.some((query) => query.trim() === '')) throw new BadArguments('--ignore needs a filter, as in host:ads.*');
  const changes = (values['ignore-change'] ?? []).map(changeKind);
  return { command: 'compare', before, after, ignored: { queries, changes }, json: values.json ?? false };
}

function changeKind(text: string): ChangeKind {
  const kind = CHANGE_KINDS.find((known) => known === text);
  if (kind) return kind;
  throw new BadArguments(`--ignore-change ${JSON.stringify(text)}: use one of ${CHANGE_KINDS.join(', ')}`);
}
