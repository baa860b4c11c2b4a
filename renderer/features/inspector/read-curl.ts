import { CURL_BODY_LIMIT, curlCommand, curlProblem } from '../../../shared/format/commands/curl.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';
import { bytesOf, curlBodyOf } from './body/read-body.ts';

/**
 * The cURL command that repeats the request byte for byte. Null if there is none; a toast has explained why. An upgrade
 * has no body: its recorded body holds the messages.
 */
export async function readCurl(app: App, exchange: Exchange): Promise<string | null> {
  const problem = curlProblem(exchange);
  if (problem !== null) {
    showToast(app.store, { tone: 'error', code: null, message: problem, link: null });
    return null;
  }
  if (exchange.kind === 'upgrade' || exchange.request.body.stored === 0) return curlCommand(exchange, null);
  const session = app.table.sessionId;
  const range = { session, id: exchange.id, side: 'request', form: 'raw', offset: 0, length: CURL_BODY_LIMIT } as const;
  const read = await attempt(app, () => app.api.request('body.read', range));
  return read && curlCommand(exchange, curlBodyOf(bytesOf(read.data), read.data));
}
