/**
 * The URLs at which WPAD looks for a PAC file in a DNS domain: `http://wpad.<domain>/wpad.dat`, then the same in each
 * parent domain (draft-ietf-wrec-wpad-01, section 4.5.5), up to the registered domain. A name below a public suffix
 * (`wpad.co.uk`, `wpad.com`) could belong to anyone, which attackers have used (US-CERT TA16-144A). The list of
 * suffixes includes those of hosting services (`github.io`). Empty for a public suffix, a single label and an IP
 * address.
 */
export async function wpadUrls(domain: string): Promise<string[]> {
  const { getDomain } = await import('tldts');
  const name = domain.replace(/\.$/, '').toLowerCase();
  const registered = getDomain(name, { allowPrivateDomains: true });
  if (registered === null) return [];
  const labels = name.split('.');
  const steps = labels.length - registered.split('.').length + 1;
  return Array.from({ length: steps }, (_, up) => `http://wpad.${labels.slice(up).join('.')}/wpad.dat`);
}
