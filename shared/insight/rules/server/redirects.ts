import { type Fact, isPrefetch } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { afterOpening, costInWords, type Span, wholeOf } from '../../lost-time.ts';
import { navigates } from '../../navigation.ts';

/** Times that one address may redirect, unless it is a document. */
const REPEATED = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function isRedirect(fact: Fact): boolean {
  const { status, response, method } = fact;
  // The response to a form is a redirect on purpose (RFC 9110, section 15.4.4).
  const isPlain = response.location !== undefined && (method === 'GET' || method === 'HEAD');
  return REDIRECTS.has(status) && isPlain && !isPrefetch(fact);
}

function isNavigation({ request }: Fact): boolean {
  return navigates(request) ?? (request.accept ?? '').startsWith('text/html');
}

/** What the redirect took. If it leads to its own origin, the next request needs its connection in any case. */
function lostBy(fact: Fact): Span {
  const { origin, response } = fact;
  const leadsTo = response.location ?? '';
  const isOwn = !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(leadsTo) || `${leadsTo}/`.startsWith(`${origin}/`);
  return isOwn ? afterOpening(fact) : wholeOf(fact);
}

function documentEvidence(facts: readonly Fact[]): Evidence[] {
  const [first] = facts;
  if (first === undefined) return [];
  const lost = facts.map(lostBy);
  const times = facts.length === 1 ? 'once' : `${facts.length} times`;
  const cost = costInWords(facts, lost);
  return [
    {
      title: `Pages of ${first.origin} were redirected ${times}${cost}${cost === '' ? '' : ' before the first byte'}`,
      where: first.origin,
      detail: `${first.path} leads to ${first.response.location}.`,
      facts,
      lost,
      requests: facts.length,
    },
  ];
}

function repeatedEvidence(facts: readonly Fact[]): Evidence[] {
  const [first] = facts;
  if (first === undefined || facts.length < REPEATED) return [];
  const lost = facts.map(lostBy);
  return [
    {
      title: `${first.path} redirected ${facts.length} times${costInWords(facts, lost)}`,
      where: first.origin,
      detail: `It leads to ${first.response.location}.`,
      facts,
      lost,
      requests: facts.length,
    },
  ];
}

export const redirects: InsightRule = {
  id: 'redirects',
  name: 'Redirects',
  about: 'A redirect costs a round trip, and a handshake if it leads to another host, before anything can be shown.',
  threshold: `Any redirect of a page; ${REPEATED} of one other address. Responses to forms are left out.`,
  source: 'Lighthouse, "Avoid multiple page redirects" and "Document request latency".',
  remedy: 'Link to the final address. HSTS saves the redirect from http to https.',
  find: ({ facts }) => {
    const found = facts.filter(isRedirect);
    const pages = groupBy(found.filter(isNavigation), ({ origin }) => origin);
    const others = groupBy(
      found.filter((fact) => !isNavigation(fact)),
      ({ origin, path }) => `${origin}${path}`,
    );
    return [...[...pages.values()].flatMap(documentEvidence), ...[...others.values()].flatMap(repeatedEvidence)];
  },
};
