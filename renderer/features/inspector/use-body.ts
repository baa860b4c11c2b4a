import { useEffect, useState } from 'react';
import { BODY_RANGE_LIMIT, type BodyRange } from '../../../shared/contract/requests.ts';
import { attempt, useApp } from '../app-context.ts';
import { bytesOf } from './read-body.ts';

export interface ReadBody {
  bytes: Uint8Array<ArrayBuffer>;
  last: BodyRange;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** A body's first MiB, and with each call of `more` the next. `version` changes where more of it has come. */
export function useBody(id: number, side: 'request' | 'response', form: 'decoded' | 'raw', version: number) {
  const app = useApp();
  const [body, setBody] = useState<ReadBody | null>(null);
  const read = (offset: number) =>
    attempt(app, () => app.api.request('body.read', { id, side, form, offset, length: BODY_RANGE_LIMIT }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is made of these
  useEffect(() => {
    let wanted = true;
    void read(0).then((last) => wanted && last && setBody({ bytes: bytesOf(last.data), last }));
    return () => {
      wanted = false;
    };
  }, [id, side, form, version]);
  const more = async () => {
    if (body === null) return;
    const last = await read(body.bytes.length);
    if (last) setBody({ bytes: joined(body.bytes, bytesOf(last.data)), last });
  };
  return { body, more };
}
