import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';
import { filterTerm } from '../traffic/filter-terms.ts';

/** A rule to begin with. */
export interface Preset {
  /** In the list of presets, or in a row's menu. */
  label: string;
  name: string;
  /** Actions as in a rules file, without defaults. */
  do: object[];
}

/** For all traffic, unless the user adds a query. */
export const PRESETS: readonly Preset[] = [
  {
    label: 'No cache',
    name: 'no cache',
    do: [
      {
        changeRequest: {
          removeHeaders: ['if-none-match', 'if-modified-since'],
          setHeaders: [['cache-control', 'no-cache']],
        },
      },
      {
        changeResponse: {
          removeHeaders: ['etag', 'last-modified', 'expires'],
          setHeaders: [['cache-control', 'no-store']],
        },
      },
    ],
  },
  {
    label: 'Allow CORS',
    name: 'allow CORS',
    do: [{ changeResponse: { cors: true } }],
  },
  {
    label: 'Remove CSP',
    name: 'remove CSP',
    do: [{ changeResponse: { removeHeaders: ['content-security-policy*'] } }],
  },
  { label: 'Wait 500 ms', name: 'wait', do: [{ delay: { ms: 500 } }] },
  {
    label: 'Script',
    name: 'script',
    do: [{ script: { code: 'function onRequest(request) {\n  console.log(request.method, request.url);\n}' } }],
  },
  { label: 'Slow 3G', name: 'slow 3G', do: [{ throttle: { profile: 'Slow 3G' } }] },
  { label: 'Fail 10 %', name: 'fail 10 %', do: [{ fail: { how: 'reset', percent: 10 } }] },
];

/** For one exchange of the list: the query is filled in. */
export const ROW_PRESETS: readonly Preset[] = [
  {
    label: 'Mock this',
    name: 'mock',
    do: [{ answer: { status: 200, headers: [['content-type', 'application/json']], body: '{}', cors: true } }],
  },
  { label: 'Break on this', name: 'break', do: [{ break: { on: 'both' } }] },
  { label: 'Block', name: 'block', do: [{ fail: { how: 'refuse' } }] },
  { label: 'Slow down', name: 'slow', do: [{ delay: { ms: 1000 } }] },
  { label: 'Map to another host', name: 'map', do: [{ mapTo: { host: 'localhost', port: 3000 } }] },
];

/** A query for requests like this one: the same method, host and path, whatever the query. */
export function queryFor({ method, authority, path }: ExchangeSummary): string {
  const parts = [
    filterTerm('method', method),
    filterTerm('host', authority),
    filterTerm('path', path.split('?', 1)[0] ?? ''),
  ];
  return parts.join(' ');
}

/** Throws for a preset that is not a rule: a bug that a test finds. */
export function ruleOf({ name, do: actions }: Preset, when: string): Rule {
  const parsed = parseRule({ name, when, do: actions });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.rule;
}
