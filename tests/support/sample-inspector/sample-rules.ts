import * as v from 'valibot';
import { RuleListSchema } from '../../../shared/model/rule/rule.ts';

/** Rules as a host reports them, for looking at the Rules dialog. */
export const SAMPLE_RULES = {
  rules: v.parse(RuleListSchema, {
    version: 1,
    rules: [
      {
        name: 'tea',
        when: 'method:GET path:/json/tea',
        do: [{ answer: { status: 418, headers: [['content-type', 'text/plain']], body: 'short and stout' } }],
      },
      { name: 'slow API', when: 'host:api', do: [{ delay: { ms: 300, upTo: 900 } }] },
      { name: 'no cache', enabled: false, do: [{ changeResponse: { setHeaders: [['cache-control', 'no-store']] } }] },
      { name: 'to my machine', when: 'host:cdn', do: [{ mapTo: { scheme: 'http', host: 'localhost', port: 3000 } }] },
      { name: 'errors', when: 'status:>=500', do: [{ mark: { colour: 'red', note: 'server error' } }] },
    ],
  }),
  path: '/home/ada/.local/share/roundtrip/rules.json',
  problems: [],
  failure: null,
};

/** What rules did to an exchange. */
export const SAMPLE_OUTCOMES = [
  { index: 1, name: 'slow API', actions: ['delay'], problem: null },
  { index: 2, name: 'no cache', actions: ['changeRequest'], problem: 'the body is unchanged: it is a stream' },
  { index: 4, name: 'errors', actions: ['mark'], problem: null },
];
