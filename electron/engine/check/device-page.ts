import { exportedCertificate } from '../ca/ca-export.ts';
import type { CertificateAuthorityPems } from '../engine-context.ts';
import type { ClientStream } from '../http/client-stream.ts';
import { type EngineResponse, sendResponse } from './engine-response.ts';
import { PAGE_STYLE, pagePolicy } from './page-style.ts';

function page(address: string): EngineResponse {
  const { nonce, policy } = pagePolicy();
  const [host = '', port = ''] = [address.replace(/:\d+$/, ''), /:(\d+)$/.exec(address)?.[1] ?? '80'];
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roundtrip: this device</title><style nonce="${nonce}">${PAGE_STYLE}</style></head><body><main>
<h1>Connect this device</h1>
<p>Its requests then appear in Roundtrip, on the machine that gave you this address.</p>
<ol>
<li><b>Set the proxy.</b> In the Wi-Fi network's settings, proxy <i>manual</i>:<br>
server <code>${host}</code>, port <code>${port}</code>.</li>
<li><b>iPhone, iPad:</b> <a href="/roundtrip-ca.mobileconfig">get the profile</a>, install it under Settings, General,
VPN &amp; Device Management, then switch it on under General, About, Certificate Trust Settings.</li>
<li><b>Android:</b> <a href="/roundtrip-ca.crt">get the certificate</a>, then Settings, Security, Encryption &amp;
credentials, Install a certificate, CA certificate. Chrome trusts it; other apps do only if they opt in.</li>
<li><b>Anything else:</b> <a href="/roundtrip-ca.crt">get the certificate</a> and trust it as a CA for
websites.</li>
</ol>
<p>When you are done, remove the proxy from the network's settings and the certificate from the device.</p>
</main></body></html>`;
  return {
    status: 200,
    statusText: 'OK',
    headers: ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy],
    body: Buffer.from(html),
  };
}

function download(bytes: Buffer, name: string, type: string): EngineResponse {
  const headers = ['content-type', type, 'content-disposition', `attachment; filename="${name}"`];
  return { status: 200, statusText: 'OK', headers, body: bytes };
}

function responseTo(path: string, address: string, ca: CertificateAuthorityPems): EngineResponse {
  switch (path) {
    case '/':
      return page(address);
    case '/roundtrip-ca.crt':
      return download(exportedCertificate(ca, 'der').bytes, 'roundtrip-ca.crt', 'application/x-x509-ca-cert');
    case '/roundtrip-ca.mobileconfig': {
      const { bytes, name } = exportedCertificate(ca, 'ios');
      return download(bytes, name, 'application/x-apple-aspen-config');
    }
    default: {
      const body = Buffer.from('There is no such page.\n');
      return { status: 404, statusText: 'Not Found', headers: ['content-type', 'text/plain; charset=utf-8'], body };
    }
  }
}

/**
 * Answers a device that opens the proxy's own address: with setup instructions or the certificate. The caller has
 * checked that the request is for the proxy itself and that the user opened the proxy to the network.
 */
export function answerDevice(stream: ClientStream, ca: CertificateAuthorityPems): void {
  const [path = '/'] = stream.head.path.split('?', 1);
  sendResponse(stream, responseTo(path, stream.head.authority, ca));
}
