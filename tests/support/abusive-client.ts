import type net from 'node:net';
import { expect } from 'vitest';
import type { TestEngine } from './engine.ts';

export const MIB = 1024 * 1024;

/** The memory growth that an abuser may cause in the whole process, bytes; far below what it sends. */
const HELD = 400 * MIB;

/** Writes until the other side ends the connection, or there is no more. */
export async function flood(socket: net.Socket, pieces: Iterable<Buffer>): Promise<void> {
  socket.on('error', () => {});
  for (const piece of pieces) {
    if (socket.destroyed || socket.writableEnded) return;
    if (socket.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        socket.off('drain', go).off('close', go);
        resolve();
      };
      socket.on('drain', go).on('close', go);
    });
  }
}

/** Call it before any wait: an event without a listener is lost. */
export function closeOf(socket: net.Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

/** The row of a client that was cut off. */
export function cutOff(through: TestEngine, code: string | RegExp) {
  return through.seen.ended1((each) => each.failure !== null && new RegExp(code).test(each.failure.code));
}

/** Call the result after the abuse: it fails if the process holds much more than now. */
export function rememberMemory(): () => void {
  const before = process.memoryUsage().rss;
  return () => expect(process.memoryUsage().rss - before).toBeLessThan(HELD);
}
