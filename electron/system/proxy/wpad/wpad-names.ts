import { getDomain } from 'tldts';

/**
 * Where WPAD looks for a PAC file in a DNS domain: `http://wpad.<domain>/wpad.dat`, then the same in each domain above
 * it (draft-ietf-wrec-wpad-01, section 4.5.5). It ends with the domain that was registered: a name below a public
 * suffix (`wpad.co.uk`, `wpad.com`) could be anybody's, which is how WPAD was taken over before (US-CERT TA16-144A).
 * The list of suffixes has those of hosting services too (`github.io`). Empty for a public suffix, a single label and
 * an address.
 */
export function wpadUrls(domain: string): string[] {
  const name = domain.replace(/\.$/, '').toLowerCase();
  const registered = getDomain(name, { allowPrivateDomains: true });
  if (registered === null) return [];
  const labels = name.split('.');
  const steps = labels.length - registered.split('.').length + 1;
  return Array.from({ length: steps }, (_, up) => `http://wpad.${labels.slice(up).join('.')}/wpad.dat`);
}
