import type { Recipe } from '../../../shared/model/client.ts';
import type { CertificateAuthority } from '../../engine/ca/certificate-authority.ts';
import { electronSwitches } from '../../system/launch/electron-app.ts';

/** Starts a container that uses the proxy and trusts the CA. */
function dockerCommand(port: string, certificatePath: string): string {
  const proxy = `http://host.docker.internal:${port}`;
  return [
    'docker run --add-host host.docker.internal:host-gateway',
    `-e HTTP_PROXY=${proxy} -e HTTPS_PROXY=${proxy}`,
    `-v ${certificatePath}:/roundtrip-ca.crt:ro`,
    '-e SSL_CERT_FILE=/roundtrip-ca.crt -e NODE_EXTRA_CA_CERTS=/roundtrip-ca.crt IMAGE',
  ].join(' ');
}

/** How to configure programs that Roundtrip does not start itself. `proxyUrl`: not empty. */
export function recipes(
  authority: Pick<CertificateAuthority, 'certificatePath' | 'spkiHash'>,
  proxyUrl: string,
): Recipe[] {
  const { certificatePath, spkiHash } = authority;
  return [
    {
      id: 'command',
      title: 'A command',
      about: 'Proxy and certificate are set in its environment: curl, Node, Python, Java and git need no flag.',
      text: 'roundtrip record --har out.har -- npm test',
    },
    {
      id: 'electron',
      title: 'An Electron app',
      about:
        'Append these switches to its command. Requests that its main process sends with Node’s http instead of ' +
        'Electron’s net are not captured.',
      text: electronSwitches(proxyUrl, spkiHash),
    },
    {
      id: 'docker',
      title: 'A container',
      about:
        'The container reaches this machine as host.docker.internal. The proxy has to listen on the container’s ' +
        'network (--host), where others can reach it too.',
      text: dockerCommand(new URL(proxyUrl).port, certificatePath),
    },
    {
      id: 'other',
      title: 'Anything else',
      about: 'Set this as its HTTP and HTTPS proxy. For HTTPS, it has to trust the CA.',
      text: proxyUrl,
    },
  ];
}
