import * as v from 'valibot';
import { redactExchange } from '../../../shared/format/redact/redaction.ts';
import { defineTool } from '../define-tool.ts';
import { Id, Session } from './common-inputs.ts';

export const get = defineTool({
  name: 'get',
  description:
    'One exchange in full, without bodies: headers (name, value, name, value), attempts, timings, TLS, failure, ' +
    'rules. Secrets are replaced by REDACTED.',
  input: v.strictObject({ id: Id, session: Session }),
  async run({ id, session }, context) {
    const found = await context.api.request('exchanges.get', { session: await context.sessionId(session), id });
    context.redactor.learn(found);
    return { ...context.redactor.exchange(found), leftOut: redactExchange(found).leftOut };
  },
});
