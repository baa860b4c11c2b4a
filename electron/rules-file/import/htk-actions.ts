import * as v from 'valibot';
import type { HtkPart } from './htk-part.ts';
import { Bytes, bytesOf, isRemoved, mergePatch, newBody, objectOf } from './htk-values.ts';
import { NoEquivalent, type Note } from './imported.ts';

const Values = v.union([v.string(), v.array(v.string())]);
const Headers = v.record(v.string(), v.optional(v.nullable(Values)));
const Answer = v.looseObject({
  status: v.optional(v.number(), 200),
  statusMessage: v.optional(v.nullable(v.string())),
  trailers: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
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
  updateHeaders: v.optional(v.unknown()),
  replaceBody: v.optional(v.union([v.string(), Bytes])),
  replaceBodyFromFile: Text,
  updateJsonBody: v.optional(v.unknown()),
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

/** Framing follows from the response as sent. */
function withoutFraming(list: [string, string][]): [string, string][] {
  return list.filter(([name]) => !/^(content-length|transfer-encoding|connection)$/i.test(name));
}

function answer(part: HtkPart, note: Note): object[] {
  const { status, statusMessage, trailers, data, headers, filePath } = read(Answer, part, 'its response');
  if (Object.keys(trailers ?? {}).length > 0) throw new NoEquivalent('trailers of an answer have no equivalent');
  if (statusMessage) note('its status message is left out');
  const base64 = typeof data === 'object' && data ? bytesOf(data).toString('base64') : undefined;
  const body = typeof data === 'string' ? { body: data } : base64 === undefined ? {} : { bodyBase64: base64 };
  const content = filePath === undefined ? body : { file: filePath };
  return [{ answer: { status, headers: withoutFraming(fields(headers)), ...content } }];
}

function mapTo(target: string, updatesHost: unknown, protocol: string | undefined): object {
  if (typeof updatesHost === 'string') throw new NoEquivalent('a Host header other than the target has no equivalent');
  const [, named, host, port] = /^(?:(https?):\/\/)?([^:/]+)(?::(\d+))?$/.exec(target) ?? [];
  if (host === undefined) throw new NoEquivalent(`the target ${JSON.stringify(target)} is not a host`);
  const scheme = protocol ?? named;
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
  const { updateHeaders, replaceBody, replaceBodyFromFile, updateJsonBody, replaceMethod, replaceStatus } = transform;
  const update = Object.entries(updateHeaders ? objectOf(updateHeaders, `${what} by updateHeaders`) : {});
  const removed = update.flatMap(([name, value]) => (value === null || isRemoved(value) ? [name] : []));
  const kept = Object.fromEntries(update.filter(([name]) => !removed.includes(name)));
  const written = fields(read(Headers, kept, `${what} by updateHeaders`));
  // Setting a field again would replace the previous value.
  const set = written.filter(([name], index) => written.findIndex(([each]) => each === name) === index);
  const added = written.filter((field) => !set.includes(field));
  return {
    ...(replaceMethod && { method: replaceMethod }),
    ...(replaceStatus && { status: replaceStatus }),
    ...(removed.length > 0 && { removeHeaders: removed }),
    ...(set.length > 0 && { setHeaders: set }),
    ...(added.length > 0 && { addHeaders: added }),
    ...(replaceBody !== undefined && { body: newBody(replaceBody) }),
    ...(replaceBodyFromFile && { bodyFile: replaceBodyFromFile }),
    ...(updateJsonBody ? { mergeJson: mergePatch(objectOf(updateJsonBody, `${what} by updateJsonBody`)) } : {}),
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
  if (forwarding) {
    const target = mapTo(forwarding.targetHost, forwarding.updateHostHeader, setProtocol);
    changes.push(target as (typeof changes)[number]);
  } else if (setProtocol) changes.push({ mapTo: { scheme: setProtocol } });
  return changes;
}

const HANDLERS: Record<string, (part: HtkPart, note: Note) => object[]> = {
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
export function htkActions(part: HtkPart, note: Note): object[] {
  const make = Object.hasOwn(HANDLERS, part.type) ? HANDLERS[part.type] : undefined;
  if (make === undefined) throw new NoEquivalent(`the step ${part.type} has no equivalent`);
  return make(part, note);
}
