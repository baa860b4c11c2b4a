import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { LeafIssuer } from '../../engine/tls/leaf-issuer.ts';
import { makeLeafKey } from '../../engine/tls/leaf-store.ts';

/** A TLS server on loopback with a certificate for `localhost` from our CA: a client that accepts it trusts the CA. */
export interface ProofServer {
  port: number;
  /** The certificate, a PEM file, for tools that check a file. */
  leafPath: string;
  close(): Promise<void>;
}

/** Rejects if it can't listen or can't write to the temporary folder. */
export async function startProofServer(ca: { certificatePem: string; keyPem: string }): Promise<ProofServer> {
  const key = makeLeafKey();
  const leaf = new LeafIssuer(ca, key).mint(['localhost']);
  const leafPath = path.join(os.tmpdir(), `roundtrip-proof-${randomUUID()}.crt`);
  fs.writeFileSync(leafPath, leaf, { mode: 0o600, flag: 'wx' });
  const server = tls.createServer({ key, cert: leaf + ca.certificatePem }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  });
  // A client that does not trust the server is a result, not an error.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leafPath,
    close: async () => {
      fs.rmSync(leafPath, { force: true });
      server.close();
    },
  };
}

/** Our own handshake, which trusts these certificates (PEM) and nothing else. */
export function handshakeWith({ port }: ProofServer, certificates: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ca: certificates });
    socket.once('secureConnect', () => {
      resolve(socket.authorized);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
