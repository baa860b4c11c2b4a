import * as v from 'valibot';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { defineTool } from '../define-tool.ts';
import { Id, Session } from './common-inputs.ts';

/** `name -> values`, names in lower case: their order and case rarely explain a difference. */
function fieldsOf(headers: RawHeaders): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const before = fields.get(name);
    fields.set(name, before === undefined ? (headers[at + 1] ?? '') : `${before}, ${headers[at + 1]}`);
  }
  return fields;
}

/** Everything that two exchanges can differ in, as one flat list of names and values. */
function facts({ request, response, timings, failure, attempts, upstream }: Exchange): Map<string, unknown> {
  const entries: [string, unknown][] = [
    ['request.method', request.method],
    ['request.url', `${request.scheme}://${request.authority}${request.path}`],
    ['request.size', request.body.size],
    ['response.status', response?.status ?? 0],
    ['response.size', response?.body.size ?? 0],
    ['failure', failure?.code ?? null],
    ['attempts', attempts.length],
    ['protocol', upstream?.protocol ?? null],
  ];
  for (const [name, value] of fieldsOf(request.headers)) entries.push([`request.header.${name}`, value]);
  for (const [name, value] of fieldsOf(response?.headers ?? [])) entries.push([`response.header.${name}`, value]);
  for (const [name, value] of Object.entries(timings)) entries.push([`timings.${name}`, Math.round(value * 100) / 100]);
  return new Map(entries);
}

export const diffExchanges = defineTool({
  name: 'diff_exchanges',
  description:
    'What differs between two exchanges: address, headers, status, sizes, protocol, failure and timings (ms).',
  input: v.strictObject({ a: Id, b: Id, sessionA: Session, sessionB: Session }),
  async run({ a, b, sessionA, sessionB }, context) {
    const read = async (id: number, session: string | undefined) => {
      const found = await context.api.request('exchanges.get', { session: await context.sessionId(session), id });
      context.redactor.learn(found);
      return found;
    };
    const [first, second] = await Promise.all([read(a, sessionA), read(b, sessionB)]);
    const [one, other] = [facts(context.redactor.exchange(first)), facts(context.redactor.exchange(second))];
    const names = new Set([...one.keys(), ...other.keys()]);
    const changes = [...names].map((what) => ({ what, a: one.get(what) ?? null, b: other.get(what) ?? null }));
    return { changes: changes.filter((change) => change.a !== change.b) };
  },
});
