import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { CertificateInfo, TlsInfo } from '../../../shared/model/tls-info.ts';
import { certificateInfo } from '../ca/certificate-info.ts';
import { PeerX509 } from '../upstream/trust/peer-certificate.ts';

const CACHE_LIMIT = 500;

class Cache {
  readonly #entries = new Map<string, CertificateInfo>();

  get(key: string): CertificateInfo | undefined {
    return this.#entries.get(key);
  }

  put(key: string, info: CertificateInfo): CertificateInfo {
    if (this.#entries.size >= CACHE_LIMIT) this.#entries.clear();
    this.#entries.set(key, info);
    return info;
  }
}

/** A browser opens six connections with one certificate, and parsing it takes longer than everything else here. */
const byFingerprint = new Cache();
/**
 * On a resumed session OpenSSL has no server certificate (nodejs/node#3940; BoringSSL has it). The one from the
 * session's first handshake still applies.
 */
const byServer = new Cache();

function serverKey(socket: TLSSocket, serverName: string | null): string {
  return `${serverName ?? ''} ${socket.remoteAddress} ${socket.remotePort}`;
}

/** A server may send what it likes. */
const LONGEST_CHAIN = 20;

/** What the server sent: its certificate and those of its issuers. */
function chainOf(peer: PeerX509): Pick<CertificateInfo, 'chainLength' | 'chainBytes'> {
  const chain = [peer];
  for (let next = peer.issuerCertificate; next && chain.length < LONGEST_CHAIN; next = next.issuerCertificate) {
    // The issuer of a root is the root itself.
    if (next.fingerprint256 === chain.at(-1)?.fingerprint256) break;
    chain.push(next);
  }
  return { chainLength: chain.length, chainBytes: chain.reduce((sum, { raw }) => sum + raw.length, 0) };
}

/**
 * The peer's certificate, or null if it sent none or it can't be parsed. Does not use getPeerX509Certificate: on Node
 * 24.21 that removes the certificate, and every later call on the socket finds none.
 */
function peerCertificate(socket: TLSSocket, serverName: string | null): CertificateInfo | null {
  try {
    // An empty object without a certificate, null once the socket is destroyed.
    const peer: { raw?: Buffer; fingerprint256?: string } | null = socket.getPeerCertificate(false);
    const raw = peer?.raw;
    if (raw === undefined) return (socket.isSessionReused() && byServer.get(serverKey(socket, serverName))) || null;
    const known = byFingerprint.get(peer.fingerprint256 ?? '');
    const read = () =>
      peer instanceof PeerX509
        ? { ...certificateInfo(peer.x509), ...chainOf(peer) }
        : certificateInfo(new X509Certificate(raw));
    const info = known ?? byFingerprint.put(peer.fingerprint256 ?? '', read());
    return byServer.put(serverKey(socket, serverName), info);
  } catch {
    return null;
  }
}

/**
 * The result of a finished handshake. `includePeer`: true upstream, where the peer's certificate is worth keeping.
 * Never throws; a destroyed socket gives empty names.
 */
export function tlsInfoOf(socket: TLSSocket, serverName: string | null, includePeer: boolean): TlsInfo {
  const cipher: { standardName?: string; name?: string } | undefined = socket.getCipher();
  return {
    version: socket.getProtocol() ?? '',
    cipher: cipher?.standardName ?? cipher?.name ?? '',
    alpn: socket.alpnProtocol || null,
    serverName,
    resumed: socket.isSessionReused() === true,
    certificate: includePeer ? peerCertificate(socket, serverName) : null,
  };
}
