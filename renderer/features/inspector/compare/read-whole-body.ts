import { BODY_RANGE_LIMIT } from '../../../../shared/contract/requests/exchange-requests.ts';
import type { RecordedSide } from '../../../../shared/model/body-side.ts';
import type { App } from '../../app-context.ts';
import { bytesOf } from '../body/read-body.ts';

/** Bytes of a decoded body that are compared. */
export const COMPARED_LIMIT = 4 * BODY_RANGE_LIMIT;

/** A body as far as it was read for a comparison. */
export interface ComparedBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** False if only its beginning was read. */
  whole: boolean;
}

/** The first 4 MiB of a body, decoded. Rejects with an `InspectorError`. */
export async function readWholeBody(
  { api }: App,
  from: { session: string; id: number; side: RecordedSide },
): Promise<ComparedBody> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const range = { ...from, form: 'decoded' as const, offset: length, length: BODY_RANGE_LIMIT };
    const { data, size } = await api.request('body.read', range);
    const piece = bytesOf(data);
    pieces.push(piece);
    length += piece.length;
    // An empty piece ends it too: the body may be shorter than its size says.
    if (piece.length === 0 || length >= Math.min(size, COMPARED_LIMIT)) {
      return { bytes: new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()), whole: length >= size };
    }
  }
}
