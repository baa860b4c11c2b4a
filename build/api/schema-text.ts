/** What this reads of a schema. Valibot's own types cover each kind separately; here all are one shape. */
export interface AnySchema {
  kind: string;
  type: string;
  requirement?: unknown;
  entries?: Record<string, AnySchema>;
  options?: readonly unknown[];
  items?: readonly AnySchema[];
  item?: AnySchema;
  wrapped?: AnySchema;
  key?: AnySchema;
  value?: AnySchema;
  literal?: unknown;
  pipe?: readonly AnySchema[];
  getter?: (input: unknown) => AnySchema;
}

/** Schema -> its name, for those that are described once. */
export type Names = ReadonlyMap<unknown, string>;

const BOUNDS: Record<string, string> = {
  min_value: '>=',
  max_value: '<=',
  min_length: 'length >=',
  max_length: 'length <=',
};

/** `integer, >= 0`: what the checks of a schema add to its type. */
function checksOf({ pipe = [] }: AnySchema): string[] {
  const said = pipe
    .flatMap((step): readonly AnySchema[] => step.pipe ?? [step])
    .flatMap(({ type, requirement }) => {
      const bound = BOUNDS[type];
      if (bound !== undefined) return [`${bound} ${requirement}`];
      return type === 'integer' || type === 'base64' ? [type] : [];
    });
  return [...new Set(said)];
}

/** The text of a string schema may be JSON with its own schema. */
function stringText({ pipe = [] }: AnySchema): string {
  return pipe.some(({ type }) => type === 'parse_json') ? 'string (JSON)' : 'string';
}

function fieldsText(entries: Record<string, AnySchema>, print: (schema: AnySchema) => string): string {
  const fields = Object.entries(entries).map(([name, schema]) => {
    const optional = schema.type === 'optional' ? '?' : '';
    return `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${optional}: ${print(schema)}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function plainText(schema: AnySchema, print: (schema: AnySchema) => string): string {
  const { type, entries, options = [], items = [], item, wrapped, key, value, literal } = schema;
  if (entries !== undefined) return fieldsText(entries, print);
  if (wrapped !== undefined) return type.startsWith('null') ? `${print(wrapped)} | null` : print(wrapped);
  if (item !== undefined) return /[ |]/.test(print(item)) ? `(${print(item)})[]` : `${print(item)}[]`;
  if (key !== undefined && value !== undefined) return `Record<${print(key)}, ${print(value)}>`;
  if (type === 'literal') return JSON.stringify(literal);
  if (type === 'picklist') return options.map((option) => JSON.stringify(option)).join(' | ');
  if (type === 'variant' || type === 'union') return (options as AnySchema[]).map(print).join(' | ');
  if (type.endsWith('tuple')) return `[${items.map(print).join(', ')}]`;
  if (type === 'lazy') return 'unknown';
  return type === 'string' ? stringText(schema) : type;
}

/**
 * A schema as TypeScript would write the type, with bounds in comments. Schemas of `names` are their name; `top` is
 * always written out.
 */
export function schemaText(top: AnySchema, names: Names): string {
  const print = (schema: AnySchema): string => names.get(schema) ?? write(schema);
  const write = (schema: AnySchema): string => {
    const text = plainText(schema, print);
    const checks = checksOf(schema);
    return checks.length === 0 ? text : `${text} /* ${checks.join(', ')} */`;
  };
  return write(top);
}

/** All schemas inside one, itself included. */
export function schemasWithin(top: AnySchema): Set<AnySchema> {
  const found = new Set<AnySchema>();
  const walk = (schema: unknown): void => {
    if (!isSchema(schema) || found.has(schema)) return;
    found.add(schema);
    const { entries = {}, options = [], items = [], item, wrapped, key, value } = schema;
    for (const inner of [...Object.values(entries), ...options, ...items, item, wrapped, key, value]) walk(inner);
  };
  walk(top);
  return found;
}

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
