import * as v from 'valibot';
import { htkActions } from './htk-actions.ts';
import { type HtkPart, HtkPartSchema } from './htk-part.ts';
import { type ImportedRules, NoEquivalent, RuleCollector } from './imported.ts';
import { exactUrl, globOfRegex, term } from './query-words.ts';

const Rule = v.looseObject({
  type: v.optional(v.string(), 'http'),
  title: v.optional(v.nullable(v.string())),
  activated: v.optional(v.boolean(), true),
  matchers: v.array(HtkPartSchema),
  handler: v.optional(HtkPartSchema),
  steps: v.optional(v.array(HtkPartSchema)),
});
const Group = v.looseObject({ title: v.optional(v.string(), 'group'), items: v.array(v.unknown()) });

/** The numbers of methods in mockttp. */
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'];

function text(part: HtkPart, name: string): string {
  const value = part[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new NoEquivalent(`the matcher ${part.type} has no ${name}`);
}

const MATCHERS: Record<string, (part: HtkPart) => string> = {
  wildcard: () => '',
  'default-wildcard': () => '',
  method: (part) =>
    term('method', typeof part.method === 'number' ? (METHODS[part.method] ?? '') : text(part, 'uiType')),
  'simple-path': (part) => exactUrl(text(part, 'path')),
  'regex-path': (part) => term('url', globOfRegex(text(part, 'regexSource'))),
  'regex-url': (part) => term('url', globOfRegex(text(part, 'regexSource'))),
  // Without a star, a query looks for a part: the address begins with the host, behind `://`.
  host: (part) => term('url', `*://${text(part, 'host')}/*`),
  hostname: (part) => {
    const name = text(part, 'hostname');
    return `(${term('url', `*://${name}/*`)} OR ${term('url', `*://${name}:*`)})`;
  },
  port: (part) => term('host', `*:${text(part, 'port')}`),
  protocol: (part) => term('scheme', text(part, 'protocol')),
};

function query(matchers: readonly HtkPart[]): string {
  const terms = matchers.map((part) => {
    const make = Object.hasOwn(MATCHERS, part.type) ? MATCHERS[part.type] : undefined;
    if (make === undefined) throw new NoEquivalent(`the matcher ${part.type} has no equivalent`);
    return make(part);
  });
  return terms.filter((each) => each !== '').join(' ');
}

/** The rules of HTTP Toolkit: the object of an `.htkrules` file. Null: it is not one. */
export function htkRules(value: unknown): ImportedRules | null {
  const root = v.safeParse(Group, value);
  if (!root.success) return null;
  const collector = new RuleCollector();
  collect(collector, root.output.items, null);
  return collector;
}

function collect(collector: RuleCollector, items: readonly unknown[], group: string | null): void {
  items.forEach((item, index) => {
    const nested = v.safeParse(Group, item);
    if (nested.success) {
      collect(collector, nested.output.items, nested.output.title);
      return;
    }
    const parsed = v.safeParse(Rule, item);
    const label = (parsed.success && parsed.output.title) || `${group === null ? '' : `${group}, `}rule ${index + 1}`;
    collector.add(label, () => {
      if (!parsed.success) throw new NoEquivalent('it is not a rule of HTTP Toolkit');
      const { type, activated, matchers, handler, steps } = parsed.output;
      if (type !== 'http') throw new NoEquivalent(`rules for ${type} have no equivalent`);
      const actions = (steps ?? (handler ? [handler] : [])).flatMap(htkActions);
      if (actions.length === 0)
        throw new NoEquivalent('it passes requests on unchanged, as Roundtrip does without a rule');
      return { when: query(matchers), do: actions, enabled: activated, ...(group !== null && { group }) };
    });
  });
}
