import { useCallback, useEffect, useState } from 'react';
import { BODY_RANGE_LIMIT, type BodyRange } from '../../../../shared/contract/requests.ts';
import { attempt, useApp } from '../../app-context.ts';
import { bytesOf } from './read-body.ts';

/** Ranges that one call of `more` reads. */
const STEPS = 4;

export interface ReadBody {
  /** Which state of the body this is of. */
  version: number;
  bytes: Uint8Array<ArrayBuffer>;
  last: BodyRange;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** A body's first MiB, and with each call of `more` the next four. `version` changes where more of it has come. */
export function useBody(id: number, side: 'request' | 'response', form: 'decoded' | 'raw', version: number) {
  const app = useApp();
  const [body, setBody] = useState<ReadBody | null>(null);
  const [reading, setReading] = useState(false);
  const read = useCallback(
    (offset: number) =>
      attempt(app, () => app.api.request('body.read', { id, side, form, offset, length: BODY_RANGE_LIMIT })),
    [app, id, side, form],
  );
  useEffect(() => {
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
      now = last && { version: now.version, bytes: joined(now.bytes, bytesOf(last.data)), last };
    }
    if (now) setBody(now);
    setReading(false);
  };
  return { body, reading, more };
}
