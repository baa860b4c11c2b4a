import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tunnelRelay } from '../tunnel-relay.ts';
import { delimited, messagesIn, rewritten } from './request-fields.ts';

/**
 * The client that Connect's conformance runner drives: its own reference client, which does not support proxies,
 * connected through tunnels. Parameters: the proxy's port, the file of the CA to trust, the reference client's program.
 */
const [proxyPort = '', caFile = '', program = ''] = process.argv.slice(2);
const certificate = fs.readFileSync(caFile);
const relays = new Map<number, Promise<number>>();

function portFor(port: number): Promise<number> {
  const relay = relays.get(port) ?? tunnelRelay(Number(proxyPort), '127.0.0.1', port);
  relays.set(port, relay);
  return relay;
}

const child = spawn(program, ['-p', '16'], { stdio: ['pipe', 'inherit', 'inherit'] });
child.once('exit', (code) => process.exit(code ?? 1));
for await (const message of messagesIn(process.stdin)) {
  const ready = child.stdin.write(delimited(await rewritten(message, portFor, certificate)));
  if (!ready) await once(child.stdin, 'drain');
}
child.stdin.end();
