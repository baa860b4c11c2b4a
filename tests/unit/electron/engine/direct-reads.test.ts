import { once } from 'node:events';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { stopTaking, takeBytes } from '../../../../electron/engine/direct-reads.ts';

const open: { destroy(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});

/** Two ends of one connection; what `reader` reads stays unread. */
async function connected(): Promise<{ reader: net.Socket; writer: net.Socket }> {
  const server = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const writer = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const [reader] = (await once(server, 'connection')) as [net.Socket];
  server.close();
  open.push(reader, writer);
  return { reader, writer };
}

/** Every place has another value, so that nothing can be lost, or change places. */
function bytesFrom(first: number, count: number): Buffer {
  const bytes = Buffer.alloc(count * 4);
  for (let index = 0; index < count; index += 1) bytes.writeUInt32BE(first + index, index * 4);
  return bytes;
}

describe('what a socket reads', () => {
  it('is handed on past its stream, which has no event for it', async () => {
    const { reader, writer } = await connected();
    const taken: Buffer[] = [];
    takeBytes(reader, (chunk) => taken.push(chunk));
    const events: Buffer[] = [];
    reader.on('data', (chunk: Buffer) => events.push(chunk));
    reader.resume();
    writer.write('one');
    await expect.poll(() => String(Buffer.concat(taken))).toBe('one');
    writer.end('two');
    await once(reader, 'end');
    expect(String(Buffer.concat(taken))).toBe('onetwo');
    expect(events).toEqual([]);
  });

  it('waits while the socket is paused, in the socket and then at its sender, and comes in its order', async () => {
    const { reader, writer } = await connected();
    const sent = bytesFrom(0, 8 * 1024 * 1024);
    const taken: Buffer[] = [];
    let pauses = 0;
    let whilePaused = 0;
    let mostWaiting = 0;
    takeBytes(reader, (chunk) => {
      if (reader.isPaused()) whilePaused += 1;
      taken.push(chunk);
      if (taken.length % 5 !== 0) return;
      reader.pause();
      pauses += 1;
      setTimeout(() => {
        mostWaiting = Math.max(mostWaiting, reader.readableLength);
        reader.resume();
      }, 2);
    });
    reader.resume();
    writer.end(sent);
    await once(reader, 'end');
    expect(Buffer.concat(taken).equals(sent)).toBe(true);
    expect(pauses).toBeGreaterThan(10);
    expect(whilePaused).toBe(0);
    expect(mostWaiting).toBeGreaterThan(0);
    // What one read brings may come on top of what a stream is to hold.
    expect(mostWaiting).toBeLessThan(reader.readableHighWaterMark + 64 * 1024 + 1);
  });

  it('comes after what was put back, and before the end', async () => {
    const { reader, writer } = await connected();
    const order: string[] = [];
    reader.unshift(Buffer.from('before '));
    takeBytes(reader, (chunk) => order.push(String(chunk)));
    reader.on('end', () => order.push('end'));
    reader.resume();
    writer.end('after');
    await once(reader, 'close');
    expect(order.join('')).toBe('before afterend');
  });

  it('is for the next who listens once nobody takes it any more', async () => {
    const { reader, writer } = await connected();
    const taken: string[] = [];
    const take = (chunk: Buffer) => void taken.push(String(chunk));
    takeBytes(reader, take);
    reader.resume();
    writer.write('mine');
    await expect.poll(() => taken.join('')).toBe('mine');
    reader.pause();
    expect(stopTaking(reader, take)).toBe(reader);
    writer.write('yours');
    await delay(20);
    const listened: string[] = [];
    reader.on('data', (chunk: Buffer) => listened.push(String(chunk)));
    reader.resume();
    await expect.poll(() => listened.join('')).toBe('yours');
    const again: string[] = [];
    reader.removeAllListeners('data');
    takeBytes(reader, (chunk) => again.push(String(chunk)));
    writer.end('mine again');
    await once(reader, 'end');
    expect(again.join('')).toBe('mine again');
    expect([taken.join(''), listened.join('')]).toEqual(['mine', 'yours']);
  });

  it('that nobody takes after a stop is dropped where the socket flows', async () => {
    const { reader, writer } = await connected();
    const taken: string[] = [];
    const take = (chunk: Buffer) => void taken.push(String(chunk));
    takeBytes(reader, take);
    stopTaking(reader, take).resume();
    writer.end('nobody wants this');
    await once(reader, 'end');
    expect(taken).toEqual([]);
  });

  it('fails as its stream does', async () => {
    const { reader, writer } = await connected();
    const taken: string[] = [];
    takeBytes(reader, (chunk) => taken.push(String(chunk)));
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => reader.once('error', resolve));
    reader.resume();
    writer.write('a beginning');
    await expect.poll(() => taken.join('')).toBe('a beginning');
    writer.resetAndDestroy();
    expect((await failed).code).toBe('ECONNRESET');
    expect(reader.destroyed).toBe(true);
  });
});

describe('a stream that is no socket', () => {
  it('is asked for each chunk', async () => {
    let asked = 0;
    const stream = new Duplex({
      read() {
        asked += 1;
        const last = asked > 50;
        const chunk = last ? null : bytesFrom(asked, 1);
        setImmediate(() => this.push(chunk));
      },
      write(_chunk, _encoding, done) {
        done();
      },
    });
    const taken: Buffer[] = [];
    takeBytes(stream, (chunk) => taken.push(chunk));
    stream.resume();
    await once(stream, 'end');
    expect(Buffer.concat(taken)).toEqual(bytesFrom(1, 50));
  });
});
