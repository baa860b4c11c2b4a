// A collector that takes everything and keeps nothing: what is measured is the sender.
import http from 'node:http';

const server = http.createServer((request, response) => {
  request.resume().once('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
});
