import { counted } from '../../../format/counts.ts';
import { type Fact, isAsset, isHttp1, isLocal } from '../../fact.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

const LEAST = 6;

/** The evidence that the server speaks HTTP/2, or null. */
function proofOf(facts: readonly Fact[]): string | null {
  const spoken = facts.find(({ upstreamProtocol }) => upstreamProtocol === 'h2');
  if (spoken) return `Exchange ${spoken.id} went to the same server over HTTP/2.`;
  const told = facts.find(({ response }) => /(?:^|[,\s])h[23](?:-\d+)?=/.test(response['alt-svc'] ?? ''));
  return told ? `The server says so in Alt-Svc (exchange ${told.id}).` : null;
}

function evidenceOf(origin: string, all: readonly Fact[]): Evidence[] {
  const facts = all.filter((fact) => isAsset(fact) && isHttp1(fact.upstreamProtocol) && !isLocal(fact));
  const proof = facts.length < LEAST ? null : proofOf(all);
  if (proof === null) return [];
  return [
    {
      title: `${counted(facts.length, 'static file')} came from ${origin} over HTTP/1.1, although it offers HTTP/2`,
      where: origin,
      detail: proof,
      severity: 'medium',
      facts,
    },
  ];
}

export const outdatedProtocol: InsightRule = {
  id: 'outdated-protocol',
  name: 'HTTP/1.1 where the server offers HTTP/2',
  about:
    'The server speaks HTTP/2 (it did in this session, or announces it in Alt-Svc), but static files came over ' +
    'HTTP/1.1.',
  threshold: `${LEAST} or more static files of one origin; not localhost.`,
  source: 'Lighthouse, "Use HTTP/2".',
  remedy: 'Let the client offer h2 in ALPN. Check for a proxy or an option that turns HTTP/2 off.',
  find: ({ byOrigin }) => [...byOrigin].flatMap(([origin, facts]) => evidenceOf(origin, facts)),
};
