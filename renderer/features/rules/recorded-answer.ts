import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { ResponseMessage } from '../../../shared/model/message.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';
import { bytesOf } from '../inspector/body/read-body.ts';
import { queryFor, ruleOf } from './presets.ts';

/** The largest body that a rule copies, bytes: a list of rules passes to the host as one message. */
const MOST_BYTES = 96 * 1024;
/** The answer gets new framing, and its body is decoded. */
const LEFT_OUT = /^(:.*|content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer)$/i;
/** Left to `cors`: the recorded fields name one origin. */
const CORS = /^access-control-allow-(origin|credentials)$/i;

function fieldsOf(headers: RawHeaders): { headers: [string, string][]; cors: boolean } {
  const pairs = headerPairs(headers).filter(([name]) => !LEFT_OUT.test(name));
  // With `cors` the answer allows the origin that asks, and preflights are answered too.
  const cors = pairs.some(([name]) => CORS.test(name));
  return { headers: pairs.filter(([name]) => !CORS.test(name)), cors };
}

/** An answer like a recorded response. `bytes`: the whole body, decoded. */
export function answerLike(
  { status, headers }: ResponseMessage,
  bytes: Uint8Array<ArrayBuffer>,
  base64: string,
): object {
  try {
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { answer: { status, ...fieldsOf(headers), body } };
  } catch {
    return { answer: { status, ...fieldsOf(headers), bodyBase64: base64 } };
  }
}

function refuse(app: App, message: string): null {
  showToast(app.store, { tone: 'error', code: null, message, link: null });
  return null;
}

/**
 * A rule that answers as the recorded exchange was answered. Null, with a message, if its body can't be copied whole.
 */
export async function recordedAnswer(app: App, row: ExchangeSummary): Promise<Rule | null> {
  const of = { session: app.table.sessionId, id: row.id };
  const range = { side: 'response' as const, form: 'decoded' as const, offset: 0, length: MOST_BYTES };
  const read = await attempt(app, async () => ({
    exchange: await app.api.request('exchanges.get', of),
    body: await app.api.request('body.read', { ...of, ...range }),
  }));
  const response = read?.exchange.response;
  if (!read || !response) return null;
  const { data, size, complete, problem } = read.body;
  if (problem !== null || !complete) return refuse(app, 'The body is incomplete, or can’t be decoded.');
  if (size > MOST_BYTES)
    return refuse(app, 'The body is over 96 KB. Save it from the inspector, and mock with "file" in the answer.');
  return ruleOf({ label: '', name: 'mock', do: [answerLike(response, bytesOf(data), data)] }, queryFor(row));
}
