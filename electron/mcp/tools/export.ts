import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import { makeFolder } from '../../files/make-folder.ts';
import { defineTool } from '../define-tool.ts';
import { predicateOf } from '../read/rows.ts';
import { Query, Session } from './common-inputs.ts';

export const exportHar = defineTool({
  name: 'export',
  description: 'Writes the exchanges that match as a HAR file without secrets, and returns its path.',
  input: v.strictObject({ query: Query, session: Session }),
  async run({ query, session }, context) {
    predicateOf(query);
    const selection = { session: await context.sessionId(session), query, window: null, redact: true };
    const saved = await context.api.request('har.export', selection);
    makeFolder(context.folder);
    const file = await context.place(saved, path.join(context.folder, `export-${randomBytes(4).toString('hex')}.har`));
    const { exchanges, bytes, note } = saved.status === 'cancelled' ? { exchanges: 0, bytes: 0, note: null } : saved;
    return { file, exchanges, bytes, note };
  },
});
