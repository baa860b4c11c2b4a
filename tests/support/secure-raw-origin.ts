import tls from 'node:tls';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';
import { ReceivedText } from './received-text.ts';
import { testCa } from './test-ca.ts';

export interface SecureRawOrigin {
  port: number;
  caPath: string;
  connections(): number;
  /** Everything received, over all connections. */
  received(): string;
  /** Resolves when the received data of all connections contains this. */
  receives(text: string): Promise<void>;
}

/** A TLS server that speaks HTTP/1.1 (or what `alpn` says) as given: `serve` gets what each connection sent so far. */
export async function secureRawOrigin(
  serve: (socket: tls.TLSSocket, received: string) => void,
  alpn: 'http/1.1' | 'h2' = 'http/1.1',
): Promise<SecureRawOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  let count = 0;
  const all = new ReceivedText();
  const server = tls.createServer(
    { SNICallback: (name, done) => done(null, leaves.contextFor(name)), ALPNProtocols: [alpn] },
    (socket) => {
      let received = '';
      count += 1;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        all.add(chunk);
        serve(socket, received);
      });
    },
  );
  const port = await listenInTest(server);
  onTestFinished(remove);
  return {
    port: port,
    caPath: ca.certificatePath,
    connections: () => count,
    received: () => all.all,
    receives: (text) => all.includes(text),
  };
}
