import type { InputOf } from '../../../shared/contract/requests.ts';
import type { SavedFile } from '../../../shared/contract/saved-file.ts';
import { bodyFileName } from '../../../shared/format/body-file-name.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import type { HostServices } from '../host-services.ts';

/** Saves a body on the session reader's thread. Rejects with `session.not-found` or `body.write-failed`. */
export async function saveBody({ session, ...save }: InputOf<'body.save'>, host: HostServices): Promise<SavedFile> {
  const read = host.sessions.of(session);
  const exchange = await read.exchange(save.id);
  const headers = exchange[save.side]?.headers;
  const mediaType = mediaTypeOf(headers ? firstHeader(headers, 'content-type') : undefined);
  const suggestion = { ...bodyFileName(exchange.request.path, mediaType), description: 'Body' };
  const target = await host.files.choose(suggestion);
  if (target === null) return { status: 'cancelled' };
  try {
    return await target.finish({ ...(await read.saveBody(save, target.path)), exchanges: 1 });
  } catch (error) {
    await target.discard();
    throw error;
  }
}
