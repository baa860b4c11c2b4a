import { useCallback, useEffect, useState } from 'react';
import { BODY_RANGE_LIMIT, type BodyRange } from '../../../../shared/contract/requests/exchange-requests.ts';
import { attempt, useApp } from '../../app-context.ts';
import { bytesOf } from './read-body.ts';

/** Ranges of `BODY_RANGE_LIMIT` bytes that one call of `more` reads. */
const STEPS = 4;

/** What has been read of a body. `last` is the latest reply: it has the total size, codings and problems. */
export interface ReadBody {
  /** The version that was current when the read began. */
  version: number;
  bytes: Uint8Array<ArrayBuffer>;
  last: BodyRange;
}

/** One array, because decoding and the hex dump need the bytes in one piece. */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/**
 * Reads the first MiB of a body, and four more with each call of `more`. A change of `version` means that more has
 * arrived, and reads the start again.
 */
export function useBody(id: number, side: 'request' | 'response', form: 'decoded' | 'raw', version: number) {
  const app = useApp();
  const [body, setBody] = useState<ReadBody | null>(null);
  const [reading, setReading] = useState(false);
  const read = useCallback(
    (offset: number) =>
      attempt(app, () =>
        app.api.request('body.read', {
          session: app.table.sessionId,
          id,
          side,
          form,
          offset,
          length: BODY_RANGE_LIMIT,
        }),
      ),
    [app, id, side, form],
  );
  useEffect(() => {
    // A late reply for another exchange or form must not replace the current one.
    let wanted = true;
    void read(0).then((last) => wanted && last && setBody({ version, bytes: bytesOf(last.data), last }));
    return () => {
      wanted = false;
    };
  }, [read, version]);
  const more = async () => {
    let now = body;
    setReading(true);
    for (let step = 0; step < STEPS && now !== null && now.bytes.length < now.last.size; step += 1) {
      const last = await read(now.bytes.length);
      // A failed read leaves what was read before; `attempt` has shown the error.
      now = last && { version: now.version, bytes: joined(now.bytes, bytesOf(last.data)), last };
    }
    if (now) setBody(now);
    setReading(false);
  };
  return { body, reading, more };
}
