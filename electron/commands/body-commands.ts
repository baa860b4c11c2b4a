import fs, { type FileHandle } from 'node:fs/promises';
import { BODY_RANGE_LIMIT, type InputOf, type SavedFile } from '../../shared/contract/requests.ts';
import { bodyFileName } from '../../shared/format/body-file-name.ts';
import { mediaTypeOf } from '../../shared/model/exchange-summary.ts';
import { firstHeader } from '../../shared/model/headers.ts';
import { describe, RoundtripError, roundtripError, systemCode } from '../engine/errors.ts';
import type { FileTarget, HostServices } from './host-services.ts';

type Save = InputOf<'body.save'>;

/** A range at a time, so that no body is ever whole in memory. Gives the bytes written. */
async function copyBody(file: FileHandle, save: Save, { recording }: HostServices): Promise<number> {
  let offset = 0;
  for (;;) {
    const { data, size } = await recording.readBody({ ...save, offset, length: BODY_RANGE_LIMIT });
    const bytes = Buffer.from(data, 'base64');
    await file.appendFile(bytes);
    offset += bytes.length;
    if (bytes.length === 0 || offset >= size) return offset;
  }
}

async function writeBody(target: FileTarget, save: Save, host: HostServices): Promise<SavedFile> {
  try {
    const file = await fs.open(target.path, 'w', 0o600);
    try {
      return await target.finish({ bytes: await copyBody(file, save, host), exchanges: 1 });
    } finally {
      await file.close();
    }
  } catch (error) {
    await target.discard();
    if (error instanceof RoundtripError) throw error;
    throw roundtripError('body.write-failed', { path: target.path, detail: describe(error) }, systemCode(error));
  }
}

/** Throws `session.not-found`, `body.write-failed`. */
export async function saveBody(save: Save, host: HostServices): Promise<SavedFile> {
  const exchange = await host.recording.exchange(save.id);
  const headers = exchange[save.side]?.headers;
  const mediaType = mediaTypeOf(headers ? firstHeader(headers, 'content-type') : undefined);
  const suggestion = { ...bodyFileName(exchange.request.path, mediaType), description: 'Body' };
  const target = await host.files.choose(suggestion);
  return target === null ? { status: 'cancelled' } : await writeBody(target, save, host);
}
