import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import { sspiTicket, sspiTypes } from '../../../../../../../electron/engine/upstream/proxy/tickets/sspi-ticket.ts';

const TYPES = sspiTypes(koffi);

describe("Windows' SSPI", () => {
  // sspi.h: SecHandle is two ULONG_PTR, SecBuffer two ULONG and a pointer, SecBufferDesc the same, TimeStamp a
  // LARGE_INTEGER.
  it.each([
    ['SecHandle', { dwLower: 0, dwUpper: 8 }, 16],
    ['SecBuffer', { cbBuffer: 0, BufferType: 4, pvBuffer: 8 }, 16],
    ['SecBufferDesc', { ulVersion: 0, cBuffers: 4, pBuffers: 8 }, 16],
    ['TimeStamp', { QuadPart: 0 }, 8],
  ] as const)('%s lies in memory as on 64-bit Windows', (name, offsets, size) => {
    const type = TYPES[name];
    expect(koffi.sizeof(type)).toBe(size);
    for (const [member, offset] of Object.entries(offsets)) expect(koffi.offsetof(type, member)).toBe(offset);
  });

  it.skipIf(process.platform === 'win32')('has no ticket where there is no Windows', async () => {
    expect(await sspiTicket('localhost')).toBeNull();
  });
});
