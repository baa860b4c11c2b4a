import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../../electron/engine/listen/limits.ts';

it('holds what the design asks for', () => {
  // "Sockets": 256, 64 idle; "Retry": 1 MiB; "HTTP/2": one stream fills 100 Mbit/s x 100 ms.
  expect(DEFAULT_LIMITS).toMatchObject({ socketsPerOrigin: 256, idleSocketsPerOrigin: 64, resendBytes: 2 ** 20 });
  expect(DEFAULT_LIMITS.http2StreamWindow).toBeGreaterThanOrEqual((100e6 / 8) * 0.1);
});

it('no limit defeats another', () => {
  const { http2ConnectionWindow, http2StreamWindow, socketsPerOrigin, idleSocketsPerOrigin } = DEFAULT_LIMITS;
  expect(http2ConnectionWindow).toBeGreaterThan(http2StreamWindow);
  expect(idleSocketsPerOrigin).toBeLessThan(socketsPerOrigin);
  // What Node's timers and HTTP/2's windows can hold (RFC 9113, section 6.9.1).
  for (const limit of Object.values(DEFAULT_LIMITS)) expect(limit).toBeGreaterThan(0);
  for (const limit of Object.values(DEFAULT_LIMITS)) expect(limit).toBeLessThan(2 ** 31);
});
