import * as v from 'valibot';
import { type RuleList, RuleListSchema } from '../../../shared/model/rule/rule.ts';

/** Actions that wait for the end of an exchange: a query with its size can't decide earlier. */
const MARK = { mark: { colour: 'red' } };
/** In each phase some, and none that an exchange meets. */
const ACTIONS = [
  { changeRequest: { setHeaders: [['x-rule', 'yes']] } },
  { changeResponse: { replaceBody: [{ find: 'e', with: 'x' }] } },
  { answer: { body: 'mocked' } },
  MARK,
];

/** Queries whose conditions are all rare, and such that all traffic with `host` meets in part. */
export const SHAPES: Readonly<Record<string, (index: number, host: string) => string>> = {
  'rare hosts': (index) => `host:idle${index}.invalid path:/idle`,
  'one host, rare paths': (index, host) => `host:${host} path:/none/${index}/*`,
  'a method and rare URLs': (index) => `method:GET url:https://idle${index}.invalid/*`,
  'common conditions, a rare method': (index, host) => `scheme:https host:${host} (method:PATCH OR size:>${index}gb)`,
  'a rare header': (index) => `header:x-idle-${index}`,
  'a header with a rare value': (index) => `header:"authorization: bearer idle${index}"`,
  'one field, rare values': (index, host) => `host:${host} header:"cache-control: idle-${index}"`,
  'a rare cookie': (index) => `cookie:idle${index}=1`,
  'no text at all': (index) => `method:DELETE request-size:>${index + 1}mb`,
};

/** `count` rules that match no exchange with `host`, with queries of these shapes in turn. */
export function idleRules(count: number, host: string, shapes = Object.keys(SHAPES)): RuleList {
  const rules = Array.from({ length: count }, (_, index) => {
    const when = SHAPES[shapes[index % shapes.length] ?? '']?.(index, host) ?? '';
    return { name: `idle ${index}`, when, do: [when.includes('size:') ? MARK : ACTIONS[index % ACTIONS.length]] };
  });
  return v.parse(RuleListSchema, { version: 1, rules });
}
