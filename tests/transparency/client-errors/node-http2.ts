import http2 from 'node:http2';
import type { FaultName } from '../../support/fault-origin.ts';
import { type FaultyClient, inTurn, type Target } from './client.ts';
import { secureSocket } from './secure-socket.ts';

async function ask(target: Target, fault: FaultName): Promise<string> {
  const secure = await secureSocket(target);
  const session = http2.connect(`https://localhost:${target.port}`, { createConnection: () => secure });
  const seen: string[] = [];
  session.on('error', (error: NodeJS.ErrnoException) => seen.push(`session ${error.code}`));
  session.on('goaway', (code) => seen.push(`goaway ${code}`));
  const stream = session.request({ ':path': `/${fault}` });
  stream.on('error', (error: NodeJS.ErrnoException) => seen.push(`stream ${error.code}: ${error.message}`));
  stream.on('aborted', () => seen.push('aborted'));
  stream.on('end', () => seen.push('end'));
  stream.resume();
  await new Promise((resolve) => stream.on('close', resolve));
  session.destroy();
  return `${seen.join(', ')}; code ${stream.rstCode}`;
}

/** Node's own HTTP/2 client. */
export const nodeHttp2: FaultyClient = {
  name: 'Node http2',
  missing: () => null,
  outcomes: (target, faults) => inTurn(faults, (fault) => ask(target, fault)),
};
