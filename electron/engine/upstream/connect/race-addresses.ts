import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';

/** Milliseconds between two attempts (RFC 8305, section 8). */
const ATTEMPT_DELAY = 250;

/** The resolver's order, the families in turn (RFC 8305, section 4). */
export function interleaved(addresses: readonly LookupAddress[]): LookupAddress[] {
  const [first] = addresses;
  const same = addresses.filter(({ family }) => family === first?.family);
  const other = addresses.filter(({ family }) => family !== first?.family);
  return same.flatMap((each, index) => [each, ...other.slice(index, index + 1)]).concat(other.slice(same.length));
}

/**
 * Opens TCP to the first of these addresses that answers: the next one is tried beside those before when they fail, or
 * let wait. Node's own `autoSelectFamily` gives an attempt up for the next one instead: a server a quarter second away,
 * or a thread that was busy for so long, would fail where the other family does not work. Calls back once, with an
 * AggregateError where none answers. Returns what ends it.
 */
export function raceAddresses(
  addresses: readonly LookupAddress[],
  connectTo: (address: string) => Socket,
  done: (error: Error | null, socket: Socket | null) => void,
): () => void {
  const left = interleaved(addresses);
  const open = new Set<Socket>();
  const errors: Error[] = [];
  let timer: NodeJS.Timeout | undefined;
  const end = (winner: Socket | null): void => {
    clearTimeout(timer);
    left.length = 0;
    for (const each of open) if (each !== winner) each.destroy();
    open.clear();
  };
  const next = (): void => {
    clearTimeout(timer);
    const address = left.shift();
    if (!address) return;
    const socket = connectTo(address.address);
    open.add(socket);
    // Kept: an error that nobody hears ends the thread, and who takes the socket may be late.
    socket.on('error', (error) => {
      if (!open.delete(socket)) return;
      errors.push(error);
      if (left.length > 0) next();
      else if (open.size === 0) done(new AggregateError(errors, error.message), null);
    });
    socket.once('connect', () => {
      end(socket);
      done(null, socket);
    });
    if (left.length > 0) timer = setTimeout(next, ATTEMPT_DELAY);
  };
  next();
  return () => end(null);
}
