import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { LocalUpstream } from '../../../../../electron/engine/exchange/local-upstream.ts';
import type { UpstreamEnd, UpstreamHandlers } from '../../../../../electron/engine/upstream/upstream-stream.ts';
import { failure } from '../../../../../electron/failures/errors.ts';

/** How a response of ten bytes ends whose body is this. */
function endOf(body: Readable): Promise<UpstreamEnd | 'complete'> {
  const about = (detail: string) => failure('rules.answer-missing', { name: 'mock', path: 'a.json', detail });
  return new Promise((resolve) => {
    const handlers: Partial<UpstreamHandlers> = {
      response: () => {},
      piece: () => true,
      flush: () => {},
      end: () => resolve('complete'),
      failed: resolve,
    };
    const head = {
      ...{ status: 200, statusText: 'OK', version: 'HTTP/1.1' as const, headers: [], size: 0, keepAlive: true },
      ...{ framing: { kind: 'length' as const, length: 10 }, wire: Buffer.alloc(0) },
    };
    new LocalUpstream({ head, body }, about, handlers as UpstreamHandlers).send();
  });
}

it('reports a file that becomes shorter, or fails, while it is read: as one that is missing', async () => {
  expect(await endOf(Readable.from([Buffer.from('0123456'), Buffer.from('789')]))).toBe('complete');
  expect(await endOf(Readable.from([Buffer.from('0123456')]))).toMatchObject({
    failure: {
      code: 'rules.answer-missing',
      message: expect.stringContaining('shorter while it was read, by 3 bytes'),
    },
  });
  const broken = new Readable({ read: () => void broken.destroy(new Error('EIO: read')) });
  expect(await endOf(broken)).toMatchObject({
    failure: { code: 'rules.answer-missing', message: expect.stringContaining('EIO') },
  });
});
