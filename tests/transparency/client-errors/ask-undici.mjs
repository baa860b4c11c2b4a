// Asks for each fault with undici's fetch over HTTP/2, and prints the error that each one brings.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';

const [entry, origin, caFile, proxy, ...faults] = process.argv.slice(2);
const { Agent, fetch } = await import(pathToFileURL(entry).href);
const ca = fs.readFileSync(caFile);
const { host, port } = new URL(origin);

// undici 7.16 throws from its own callbacks when a GOAWAY ends a session that it has left.
process.on('uncaughtException', () => {});
// A body whose connection is lost during a write never ends, and its time limit alone does not keep the process alive.
setInterval(() => {}, 1000);

function open(done) {
  if (!proxy) {
    done(net.connect(Number(port), '127.0.0.1'));
    return;
  }
  const to = new URL(proxy);
  http
    .request({ host: to.hostname, port: to.port, method: 'CONNECT', path: host })
    .on('connect', (_response, socket) => done(socket))
    .end();
}

const describe = ({ name, message, cause }) => `${name} ${message}${cause ? `: ${cause.code ?? cause.message}` : ''}`;

async function ask(fault) {
  const agent = new Agent({
    allowH2: true,
    connect: (_options, done) =>
      open((socket) => {
        const secure = tls.connect({ socket, servername: 'localhost', ca, ALPNProtocols: ['h2'] });
        secure.once('secureConnect', () => done(null, secure)).on('error', done);
      }),
  });
  try {
    const response = await fetch(`${origin}/${fault}`, { dispatcher: agent, signal: AbortSignal.timeout(30_000) });
    return `${response.status} ${await response.text().then((body) => `body of ${body.length}`, describe)}`;
  } catch (error) {
    return describe(error);
  } finally {
    // Not awaited: where undici has lost count of a request it would wait forever.
    agent.destroy();
  }
}

for (const fault of faults) console.log(await ask(fault));
process.exit();
