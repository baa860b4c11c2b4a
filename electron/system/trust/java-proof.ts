import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from '../run-command.ts';
import { CACERTS_PASSWORD, type Java } from './java.ts';
import type { ProofServer } from './proof-server.ts';
import type { TrustContext } from './trust-store.ts';

const REFUSED = 3;

/** A handshake by the default trust of its Java, with the host's name checked. */
const SOURCE = `import javax.net.ssl.*;
public class RoundtripProof {
  public static void main(String[] port) throws Exception {
    java.net.Socket plain = new java.net.Socket("127.0.0.1", Integer.parseInt(port[0]));
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket secure = (SSLSocket) factory.createSocket(plain, "localhost", plain.getPort(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    try {
      secure.startHandshake();
    } catch (SSLHandshakeException refused) {
      System.exit(${REFUSED});
    }
    secure.close();
  }
}
`;

/**
 * Whether a JVM with this Java's roots accepts the server; null if it has no compiler (a JRE, or Java before 11) or
 * could not be run. Takes a second or two.
 */
export async function handshakeByJava(java: Java, server: ProofServer, context: TrustContext): Promise<boolean | null> {
  const exe = context.platform === 'win32' ? '.exe' : '';
  const [program, compiler] = ['java', 'javac'].map((name) =>
    findProgram(path.join(java.home, 'bin', name + exe), context.env),
  );
  if (!program || !compiler) return null;
  const file = path.join(os.tmpdir(), `roundtrip-proof-${randomUUID()}.java`);
  fs.writeFileSync(file, SOURCE, { mode: 0o600, flag: 'wx' });
  try {
    const store = [
      `-Djavax.net.ssl.trustStore=${java.cacerts}`,
      `-Djavax.net.ssl.trustStorePassword=${CACERTS_PASSWORD}`,
    ];
    // The user's own options may name other roots.
    const env = { ...context.env, JAVA_TOOL_OPTIONS: undefined, JDK_JAVA_OPTIONS: undefined };
    const { status } = await context.run([program, ...store, file, String(server.port)], env);
    if (status === 0) return true;
    return status === REFUSED ? false : null;
  } finally {
    fs.rmSync(file, { force: true });
  }
}
