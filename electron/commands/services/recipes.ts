import type { Recipe } from '../../../shared/model/client.ts';
import type { CertificateAuthority } from '../../engine/ca/certificate-authority.ts';
import { electronSwitches } from '../../system/launch/electron-app.ts';

/** How to point at the proxy what Roundtrip does not start itself. `proxyUrl`: not empty. */
export function recipes(
  authority: Pick<CertificateAuthority, 'certificatePath' | 'spkiHash'>,
  proxyUrl: string,
): Recipe[] {
  const { certificatePath, spkiHash } = authority;
  const { port } = new URL(proxyUrl);
  const inDocker = `http://host.docker.internal:${port}`;
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
        'Put these behind its command. What its main process asks by Node’s own http, not by Electron’s net, goes past.',
      text: electronSwitches(proxyUrl, spkiHash),
    },
    {
      id: 'docker',
      title: 'A container',
      about:
        'Its host is reached by name; the proxy has to be open to the container’s network (--host), which shows it to others there too.',
      text: `docker run --add-host host.docker.internal:host-gateway -e HTTP_PROXY=${inDocker} -e HTTPS_PROXY=${inDocker} -v ${certificatePath}:/roundtrip-ca.crt:ro -e SSL_CERT_FILE=/roundtrip-ca.crt -e NODE_EXTRA_CA_CERTS=/roundtrip-ca.crt IMAGE`,
    },
    {
      id: 'other',
      title: 'Anything else',
      about: 'As its HTTP and HTTPS proxy. For HTTPS it has to trust the CA.',
      text: proxyUrl,
    },
  ];
}
