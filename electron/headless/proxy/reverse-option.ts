import { parseReverse, type ReverseListener } from '../../../shared/model/proxy/reverse.ts';
import { BadArguments } from '../bad-arguments.ts';

/** `LISTEN=ORIGIN`: `9000=https://api.example.com`, `127.0.0.1:9000=http://localhost:3000`. Throws BadArguments. */
export function reverseListener(value: string, keepHost: boolean): ReverseListener {
  const [, listen, origin] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (listen === undefined || origin === undefined) throw new BadArguments('--reverse: write it as LISTEN=ORIGIN');
  const listener = { listen, origin, keepHost };
  const place = parseReverse(listener);
  if (typeof place === 'string') throw new BadArguments(`--reverse: ${place}`);
  return listener;
}
