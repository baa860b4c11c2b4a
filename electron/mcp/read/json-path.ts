import { isRawNumber } from '../../../shared/format/exact-json.ts';
import { roundtripError } from '../../failures/errors.ts';

type Step = { kind: 'key'; name: string } | { kind: 'index'; at: number } | { kind: 'all' };

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[\*\]|\.\*|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]/y;

/** A name in quotes with JSON's escapes, and `\'` in single ones (RFC 9535, section 2.3.1.1). Null: unknown escape. */
function unquoted(double: string | undefined, single: string | undefined): string | null {
  const text = double ?? single?.replace(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'")) ?? '';
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return null;
  }
}

/** Throws `agents.bad-json-path`. */
function parse(given: string): Step[] {
  // `items[0]` is what agents write too.
  const path = /^[$.[]/.test(given) ? given : `.${given}`;
  const steps: Step[] = [];
  STEP.lastIndex = path.startsWith('$') ? 1 : 0;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(path);
    const [, name, index, double, single] = found ?? [];
    const isQuoted = double !== undefined || single !== undefined;
    const key = isQuoted ? unquoted(double, single) : (name ?? '');
    if (found === null || key === null) throw roundtripError('agents.bad-json-path', { path, rest: path.slice(at) });
    if (index !== undefined) steps.push({ kind: 'index', at: Number(index) });
    else if (isQuoted || name !== undefined) steps.push({ kind: 'key', name: key });
    else steps.push({ kind: 'all' });
  }
  return steps;
}

function take(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return [];
  if (step.kind === 'all') return Object.values(value);
  const name = step.kind === 'index' ? String(step.at) : step.name;
  return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
}

/** The values at a path (RFC 9535: names, indexes and wildcards): `$.items[*].id`. Throws `agents.bad-json-path`. */
export function valuesAt(document: unknown, path: string): unknown[] {
  return parse(path).reduce((values: unknown[], step) => values.flatMap((value) => take(value, step)), [document]);
}
