import * as v from 'valibot';
import { roundtripError } from '../../failures/errors.ts';
import { defineTool } from '../define-tool.ts';
import { Id, Session } from './common-inputs.ts';

export const resend = defineTool({
  name: 'resend',
  description:
    'Sends a recorded request once more, as it was, through the proxy; gives the id of the new exchange. Only to ' +
    'hosts that the user approved.',
  writes: true,
  input: v.strictObject({ id: Id, session: Session }),
  async run({ id, session: given }, context) {
    const session = await context.sessionId(given);
    const [{ request }, { agentsSendTo }] = await Promise.all([
      context.api.request('exchanges.get', { session, id }),
      context.api.request('settings.get', {}),
    ]);
    if (!agentsSendTo.includes(request.host.toLowerCase()))
      throw roundtripError('agents.host-not-approved', { host: request.host });
    return await context.api.request('replay.resend', { session, exchange: id });
  },
});
