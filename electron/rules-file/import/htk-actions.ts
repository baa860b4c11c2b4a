import * as v from 'valibot';
import type { HtkPart } from './htk-part.ts';
import { NoEquivalent } from './imported.ts';

const Bytes = v.object({ type: v.literal('Buffer'), data: v.array(v.number()) });
const Values = v.union([v.string(), v.array(v.string())]);
const Headers = v.record(v.string(), v.optional(v.nullable(Values)));
const Answer = v.looseObject({
  status: v.optional(v.number(), 200),
  data: v.optional(v.nullable(v.union([v.string(), Bytes]))),
  headers: v.optional(v.nullable(Headers)),
  filePath: v.optional(v.string()),
});

const Text = v.optional(v.string());
const Transform = v.looseObject({
  replaceMethod: Text,
  setProtocol: Text,
  replaceHost: v.optional(v.looseObject({ targetHost: v.string(), updateHostHeader: v.optional(v.unknown(), true) })),
  replaceStatus: v.optional(v.number()),
  updateHeaders: v.optional(Headers),
  replaceBody: v.optional(v.union([v.string(), Bytes])),
  replaceBodyFromFile: Text,
  updateJsonBody: v.optional(v.unknown()),
  matchReplaceBody: v.optional(v.array(v.tuple([v.unknown(), v.string()]))),
});
type Transform = v.InferOutput<typeof Transform>;
const Forwarding = v.looseObject({ targetHost: v.string(), updateHostHeader: v.optional(v.unknown(), true) });

function read<S extends v.GenericSchema>(schema: S, part: unknown, what: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, part);
  if (!parsed.success) throw new NoEquivalent(`${what} has a form that is not known here`);
  return parsed.output;
}

function fields(headers: v.InferOutput<typeof Headers> | null | undefined): [string, string][] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
}

/** Framing is of the answer as it is sent. */
function withoutFraming(list: [string, string][]): [string, string][] {
  return list.filter(([name]) => !/^(content-length|transfer-encoding|connection)$/i.test(name));
}

function textOf(body: string | v.InferOutput<typeof Bytes>, what: string): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(body.data));
  } catch {
    throw new NoEquivalent(`${what} is not text`);
  }
}

function answer(part: HtkPart): object[] {
  const { status, data, headers, filePath } = read(Answer, part, 'its response');
  const base64 = typeof data === 'object' && data ? Buffer.from(data.data).toString('base64') : undefined;
  const body = typeof data === 'string' ? { body: data } : base64 === undefined ? {} : { bodyBase64: base64 };
  const content = filePath === undefined ? body : { file: filePath };
  return [{ answer: { status, headers: withoutFraming(fields(headers)), ...content } }];
}

function mapTo(target: string, updatesHost: unknown): object {
  const [, scheme, host, port] = /^(?:(https?):\/\/)?([^:/]+)(?::(\d+))?$/.exec(target) ?? [];
  if (host === undefined) throw new NoEquivalent(`the target ${JSON.stringify(target)} is not a host`);
  return {
    mapTo: {
      ...(scheme && { scheme }),
      host,
      ...(port && { port: Number(port) }),
      ...(updatesHost === false && { keepHost: true }),
    },
  };
}

const KNOWN = new Set(Object.keys(Transform.entries));

function change(transform: Transform, what: string): object {
  const unknown = Object.keys(transform).find((name) => !KNOWN.has(name) && transform[name] !== undefined);
  if (unknown !== undefined) throw new NoEquivalent(`${what} by ${unknown} has no equivalent`);
  if (transform.matchReplaceBody) throw new NoEquivalent(`${what} by matchReplaceBody has no equivalent`);
  const { updateHeaders, replaceBody, replaceBodyFromFile, updateJsonBody, replaceMethod, replaceStatus } = transform;
  const removed = Object.entries(updateHeaders ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
  const set = fields(updateHeaders);
  return {
    ...(replaceMethod && { method: replaceMethod }),
    ...(replaceStatus && { status: replaceStatus }),
    ...(removed.length > 0 && { removeHeaders: removed }),
    ...(set.length > 0 && { setHeaders: set }),
    ...(replaceBody !== undefined && { body: textOf(replaceBody, 'the new body') }),
    ...(replaceBodyFromFile && { bodyFile: replaceBodyFromFile }),
    ...(updateJsonBody !== undefined && { mergeJson: updateJsonBody }),
  };
}

function passThrough(part: HtkPart): object[] {
  if (part.uiType?.endsWith('breakpoint')) {
    throw new NoEquivalent('breakpoints are not imported: make one from the menu of a row');
  }
  const request = part.transformRequest ? read(Transform, part.transformRequest, 'its request') : null;
  const response = part.transformResponse ? read(Transform, part.transformResponse, 'its response') : null;
  const { setProtocol, replaceHost, ...rest } = request ?? {};
  const changed = {
    changeRequest: change(rest, 'changing the request'),
    changeResponse: change(response ?? {}, 'changing the response'),
  };
  const changes = Object.entries(changed).flatMap(([name, made]) =>
    Object.keys(made).length > 0 ? [{ [name]: made }] : [],
  );
  const forwarding = part.forwarding ? read(Forwarding, part.forwarding, 'its target') : replaceHost;
  if (forwarding) changes.push(mapTo(forwarding.targetHost, forwarding.updateHostHeader) as (typeof changes)[number]);
  else if (setProtocol) changes.push({ mapTo: { scheme: setProtocol } });
  return changes;
}

const HANDLERS: Record<string, (part: HtkPart) => object[]> = {
  simple: answer,
  file: answer,
  passthrough: passThrough,
  timeout: () => [{ fail: { how: 'black-hole' } }],
  'close-connection': () => [{ fail: { how: 'refuse' } }],
  'reset-connection': () => [{ fail: { how: 'reset' } }],
  delay: (part) => [{ delay: { ms: read(v.looseObject({ delayMs: v.number() }), part, 'its delay').delayMs } }],
  'wait-for-request-body': () => [],
};

/** The actions of one step. Throws `NoEquivalent`. */
export function htkActions(part: HtkPart): object[] {
  const make = Object.hasOwn(HANDLERS, part.type) ? HANDLERS[part.type] : undefined;
  if (make === undefined) throw new NoEquivalent(`the step ${part.type} has no equivalent`);
  return make(part);
}
