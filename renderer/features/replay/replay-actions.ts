import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { COMPOSED_BODY_LIMIT, type ComposedBody } from '../../../shared/model/replay/composed-request.ts';
import type { ReplayOf } from '../../../shared/model/replay/replay-of.ts';
import { type ComposeDraft, showSession } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';
import { bytesOf, textOf } from '../inspector/body/read-body.ts';
import { NEW_REQUEST, requestOf } from './compose-draft.ts';

/** Selects a new exchange of the recorded session, and opens its details. */
export function showSent({ store }: App, exchange: number): void {
  showSession(store, null);
  store.setState({ selected: exchange, inspecting: true, sought: exchange });
}

/** Sends an exchange's request once more, as it was, and shows the new exchange. */
export async function resend(app: App, of: ReplayOf): Promise<void> {
  const sent = await attempt(app, () => app.api.request('replay.resend', of));
  if (sent) showSent(app, sent.exchange);
}

/** Opens the editor with an exchange's request. */
export async function editAndResend(app: App, of: ReplayOf): Promise<void> {
  const draft = await attempt(app, () => readDraft(app, of));
  if (draft) app.store.setState({ panel: 'compose', compose: draft });
}

/** Opens the editor with an empty request. */
export function composeNew({ store }: App): void {
  store.setState({ panel: 'compose', compose: { of: null, request: NEW_REQUEST, note: null } });
}

async function readDraft(app: App, of: ReplayOf): Promise<ComposeDraft> {
  const exchange = await app.api.request('exchanges.get', { session: of.session, id: of.exchange });
  const { body, note } = await readBody(app, of, exchange);
  return { of, request: requestOf(exchange, body), note };
}

/** The body as text if it can be edited as text and no byte is lost; else it is sent as it was recorded, or missing. */
async function readBody(
  app: App,
  { session, exchange: id }: ReplayOf,
  { request: { body, headers } }: Exchange,
): Promise<{ body: ComposedBody; note: string | null }> {
  if (body.size === 0) return { body: { kind: 'none' }, note: null };
  if (body.stored < body.size || !body.complete) {
    const kept = `${formatBytes(body.stored)} of ${formatBytes(body.size)}`;
    return { body: { kind: 'none' }, note: `The recorded body is incomplete (${kept}). Write a new one.` };
  }
  const recorded: ComposedBody = { kind: 'recorded' };
  if (firstHeader(headers, 'content-encoding') !== undefined)
    return { body: recorded, note: 'The recorded body is compressed, and is sent unchanged.' };
  if (body.size > COMPOSED_BODY_LIMIT)
    return { body: recorded, note: 'The recorded body is too long to edit, and is sent unchanged.' };
  const range = { side: 'request', form: 'raw', offset: 0, length: body.size } as const;
  const { data } = await app.api.request('body.read', { session, id, ...range });
  const text = textOf(bytesOf(data));
  if (text === null) return { body: recorded, note: 'The recorded body is not text, and is sent unchanged.' };
  return { body: { kind: 'text', text }, note: null };
}
