import { roundtripError } from '../../failures/errors.ts';

type Step = { kind: 'key'; name: string } | { kind: 'index'; at: number } | { kind: 'all' };

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[\*\]|\.\*|\["((?:[^"\\]|\\.)*)"\]/y;

/** Throws `agents.bad-json-path`. */
function parse(path: string): Step[] {
  const steps: Step[] = [];
  STEP.lastIndex = path.startsWith('$') ? 1 : 0;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(path);
    if (found === null) throw roundtripError('agents.bad-json-path', { path, rest: path.slice(at) });
    const [, name, index, quoted] = found;
    if (index !== undefined) steps.push({ kind: 'index', at: Number(index) });
    else if (name !== undefined) steps.push({ kind: 'key', name });
    else if (quoted !== undefined) steps.push({ kind: 'key', name: JSON.parse(`"${quoted}"`) });
    else steps.push({ kind: 'all' });
  }
  return steps;
}

function take(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step.kind === 'all') return Object.values(value);
  const name = step.kind === 'index' ? String(step.at) : step.name;
  return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
}

/** The values at a path (RFC 9535: names, indexes and wildcards): `$.items[*].id`. Throws `agents.bad-json-path`. */
export function valuesAt(document: unknown, path: string): unknown[] {
  return parse(path).reduce((values: unknown[], step) => values.flatMap((value) => take(value, step)), [document]);
}
