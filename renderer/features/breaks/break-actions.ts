import { BREAK_PART_LIMIT } from '../../../shared/contract/requests/rule-requests.ts';
import type { Release } from '../../../shared/model/rule/held-message.ts';
import { type App, attempt } from '../app-context.ts';
import { base64Of } from '../inspector/body/read-body.ts';

/** Bytes of an edited body in one request: base64 takes four characters for three of them. */
const PART = (BREAK_PART_LIMIT / 4) * 3;

/** Releases a message; `body`: the edited one, or null. Returns false, and shows why, if the host refuses it. */
export async function releaseHeld(app: App, id: number, release: Release, body: string | null): Promise<boolean> {
  const done = await attempt(app, async () => {
    if (body !== null) await write(app, id, new TextEncoder().encode(body));
    return await app.api.request('breaks.release', { id, release });
  });
  return done !== null;
}

/** Sends an edited body before its release, which refers to it as `written`. Rejects with an `InspectorError`. */
async function write(app: App, id: number, bytes: Uint8Array): Promise<void> {
  // An empty body has one part too.
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += PART) {
    const data = base64Of(bytes.subarray(offset, offset + PART));
    await app.api.request('breaks.write', { id, offset, data });
  }
}

/** Releases every held message unchanged: typed edits are not sent. */
export async function releaseAll(app: App): Promise<void> {
  await attempt(app, () => app.api.request('breaks.release-all', {}));
}
