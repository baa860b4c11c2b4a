import { counted } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { formatBytes } from '../../../format/sizes.ts';
import { type Fact, isLocal } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { elapsed, openingOf, type Span } from '../../lost-time.ts';

/** Milliseconds of one handshake. */
const SLOW = 150;
/** A handshake is two round trips in TLS 1.2 and one in 1.3; opening the TCP connection is one. */
const ROUND_TRIPS = 4;
/** Milliseconds, for full handshakes that a resumption would have shortened. */
const FULL = 3;
const FULL_COST = 300;
/** Bytes that a server sends before the first acknowledgement: ten segments of 1,460 (RFC 6928). */
const FIRST_FLIGHT = 14_600;

/**
 * Opened by this exchange, directly: through a proxy, connecting includes the proxy's own time. On loopback a round
 * trip takes no time, and a busy machine makes any handshake many times as long.
 */
function opened(fact: Fact): boolean {
  const { timings, tls } = fact;
  return tls !== null && !isLocal(fact) && timings.ssl > 0 && timings.connect >= timings.ssl;
}

function endOfOpening(fact: Fact, length: number): Span {
  const { to } = openingOf(fact);
  return { from: to - length, to };
}

function slowOnes(origin: string, facts: readonly Fact[]): Evidence[] {
  const slow = facts.filter(({ timings: { ssl, connect } }) => ssl >= SLOW && ssl > ROUND_TRIPS * (connect - ssl));
  if (slow.length === 0) return [];
  const certificate = slow[0]?.tls?.certificate;
  const large = certificate?.keyBits !== undefined && certificate.keyType === 'rsa' && certificate.keyBits >= 3072;
  const key = large ? ` Its certificate has a ${certificate.keyBits}-bit RSA key, which is slow to sign with.` : '';
  const { chainLength = 0, chainBytes = 0 } = certificate ?? {};
  const isLong = chainBytes > FIRST_FLIGHT;
  const chain = isLong
    ? ` It sends ${chainLength} certificates with ${formatBytes(chainBytes)}: more than a server may send at ` +
      'first, which takes another round trip.'
    : '';
  return [
    {
      title:
        `TLS with ${origin} took ${formatDuration(Math.max(...slow.map(({ timings }) => timings.ssl)))}, more than ` +
        `${ROUND_TRIPS} times as long as connecting`,
      where: origin,
      detail: `The time is the server's: a round trip took ${formatDuration(median(slow))}.${key}${chain}`,
      confidence: large || isLong ? 'high' : 'medium',
      facts: slow,
      lost: slow.map((fact) => endOfOpening(fact, 2 * fact.timings.ssl - fact.timings.connect)),
    },
  ];
}

function median(facts: readonly Fact[]): number {
  return (
    facts.map(({ timings: { ssl, connect } }) => connect - ssl).sort((one, other) => one - other)[facts.length >> 1] ??
    0
  );
}

/** TLS 1.2 handshakes after a first one had ended: a ticket would have saved a round trip of each. */
function fullOnes(origin: string, facts: readonly Fact[]): Evidence[] {
  const first = facts[0];
  if (first === undefined) return [];
  const full = facts.filter(({ tls, start }) => tls?.version === 'TLSv1.2' && !tls.resumed && start > first.end);
  const lost = full.map((fact) => endOfOpening(fact, fact.timings.ssl / 2));
  if (full.length < FULL || elapsed(lost) < FULL_COST) return [];
  return [
    {
      title:
        `${counted(full.length, 'TLS handshake')} with ${origin} were full ones: resumption would save ` +
        `${formatDuration(elapsed(lost))}`,
      where: origin,
      detail: 'In TLS 1.2 a full handshake takes two round trips, a resumed one takes one.',
      remedy: 'Turn session tickets on in the server, with keys that all its machines share, or TLS 1.3.',
      facts: full,
      lost,
    },
  ];
}

export const slowTls: InsightRule = {
  id: 'slow-tls',
  name: 'Slow TLS',
  about:
    'A handshake took far longer than its round trips, which points to the server (large keys, long chains, OCSP), ' +
    'or TLS 1.2 sessions were not resumed.',
  threshold:
    `${SLOW} ms or more and over ${ROUND_TRIPS} times the TCP connection; or ${FULL} full TLS 1.2 handshakes after ` +
    `the first, where resuming saves ${FULL_COST} ms. Not on loopback.`,
  source:
    'RFC 5077 and RFC 8446, section 2.2, for the round trips; RFC 6928 for the length of a chain; the figures are ' +
    'our own.',
  remedy: 'Use an ECDSA P-256 certificate with a short chain, OCSP stapling, TLS 1.3 and session tickets.',
  find: ({ facts }) =>
    [...groupBy(facts.filter(opened), ({ origin }) => origin)].flatMap(([origin, of]) => [
      ...slowOnes(origin, of),
      ...fullOnes(origin, of),
    ]),
};
