import { expect, test } from 'vitest';
import { YoungBuffers } from '../../../../../electron/engine/record/young-buffers.ts';

const MIB = 1024 * 1024;
const READ = 64 * 1024;

/**
 * V8 frees the buffers of one collection at the next one at the latest: two intervals of 16 MiB. Without, it was 69.
 */
test('a large body leaves few of the buffers that it was read into', () => {
  const buffers = new YoungBuffers();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let total = 0; total < 512 * MIB; total += READ) {
    buffers.passed(Buffer.allocUnsafeSlow(READ).length);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(most).toBeLessThan(48 * MIB);
});
