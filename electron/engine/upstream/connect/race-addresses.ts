import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';

/** Milliseconds between two attempts (RFC 8305, section 8). */
const ATTEMPT_DELAY = 250;

/** The resolver's order, alternating the address families (RFC 8305, section 4). */
export function interleaved(addresses: readonly LookupAddress[]): LookupAddress[] {
  const [first] = addresses;
  const same = addresses.filter(({ family }) => family === first?.family);
  const other = addresses.filter(({ family }) => family !== first?.family);
  return same.flatMap((each, index) => [each, ...other.slice(index, index + 1)]).concat(other.slice(same.length));
}

/**
 * Opens TCP to the first of these addresses that answers. The next address is started in parallel when the earlier ones
 * fail or take too long. Node's own `autoSelectFamily` instead abandons an attempt when it starts the next one: a
 * server a quarter of a second away, or a thread busy for that long, would fail whenever the other family does not
 * work. Calls back once, with an AggregateError if no address answers. Returns a function that cancels the race.
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
    // This listener stays: an unhandled error ends the thread, and the caller may add its own listener late.
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
