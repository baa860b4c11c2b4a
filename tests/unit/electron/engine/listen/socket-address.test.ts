import { expect, it } from 'vitest';
import { socketAddress } from '../../../../../electron/engine/listen/socket-address.ts';

it.each([
  ['127.0.0.1', 80, '127.0.0.1:80'],
  ['::ffff:127.0.0.1', 80, '127.0.0.1:80'],
  ['::1', 443, '[::1]:443'],
  ['::ffff:7f00:1', 443, '[::ffff:7f00:1]:443'],
  [undefined, undefined, null],
])('%s %s: %s', (address, port, text) => {
  expect(socketAddress(address, port)).toBe(text);
});
