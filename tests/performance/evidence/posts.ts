/**
 * Small POSTs in sequence over one connection, and the mean of their milliseconds as a line of JSON: `posts.ts NUMBER
 * SEGMENTS` inside lossy_link.py. SEGMENTS: `one` sends head and body in one segment, `two` in two at once, `nagle` in
 * two with Nagle's algorithm on.
 */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FAR, NEAR, PORT } from './lossy-link.ts';

const posts = Number(process.argv[2]);
const segments = process.argv[3];

const server = http.createServer((request, response) => {
  request.resume().on('end', () => response.end('ok'));
});
// A retransmission may take longer than an idle server waits.
server.keepAliveTimeout = 0;
server.listen(PORT, NEAR);
await once(server, 'listening');

const socket = net.connect({ host: FAR, port: PORT, noDelay: segments !== 'nagle' });
await once(socket, 'connect');
const body = 'name=value&other=value';
const head =
  `POST / HTTP/1.1\r\nhost: ${FAR}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ` +
  `${body.length}\r\n\r\n`;

async function post(): Promise<number> {
  const began = performance.now();
  if (segments === 'one') socket.write(head + body);
  else {
    socket.write(head);
    // Writes of one turn leave together.
    await nextTurn();
    socket.write(body);
  }
  let response = '';
  while (!response.endsWith('ok')) response += String((await once(socket, 'data'))[0]);
  return performance.now() - began;
}

let sum = 0;
for (let number = 0; number < posts; number += 1) sum += await post();
process.stdout.write(`${JSON.stringify({ mean: sum / posts })}\n`);
process.exit();
