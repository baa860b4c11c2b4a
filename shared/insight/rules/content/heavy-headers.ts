import { counted } from '../../../format/counts.ts';
import { formatBytes } from '../../../format/sizes.ts';
import { type Fact, isHttp1 } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

const LEAST = 5;
/** Bytes. */
const COOKIES = 4096;
const HEAD = 8192;

interface Kind {
  what: string;
  limit: number;
  size: (fact: Fact) => number;
  remedy: string;
}

const KINDS: readonly Kind[] = [
  {
    what: 'cookies of',
    limit: COOKIES,
    size: ({ cookieSize }) => cookieSize,
    remedy: 'Keep state on the server, narrow Path and Domain, and serve static files from a host without cookies.',
  },
  {
    what: 'request headers of',
    limit: HEAD,
    size: ({ requestHead, cookieSize }) => requestHead - cookieSize,
    remedy: 'Shorten tokens, Referer and custom fields: servers refuse heads over 8 to 16 KB.',
  },
  {
    what: 'response headers of',
    limit: HEAD,
    size: ({ responseHead }) => responseHead,
    remedy: 'Shorten policies and remove debug fields.',
  },
];

function evidenceOf(origin: string, all: readonly Fact[], { what, limit, size, remedy }: Kind): Evidence[] {
  const facts = all.filter((fact) => size(fact) >= limit);
  if (facts.length < LEAST) return [];
  const bytes = sumOf(facts, size);
  const compressed = !facts.some(({ clientProtocol }) => isHttp1(clientProtocol));
  return [
    {
      title:
        `${counted(facts.length, 'exchange')} with ${origin} have ${what} ` +
        `${formatBytes(Math.round(bytes / facts.length))} each`,
      where: origin,
      detail: compressed ? 'HTTP/2 compresses fields that repeat: fewer bytes than these went over the wire.' : '',
      severity: compressed ? 'low' : 'medium',
      remedy,
      facts,
      bytes,
    },
  ];
}

export const heavyHeaders: InsightRule = {
  id: 'heavy-headers',
  name: 'Heavy cookies and headers',
  about: 'Each request carries so many cookies or fields that they take several packets.',
  threshold:
    `${LEAST} or more exchanges of one origin with ${COOKIES.toLocaleString('en')} bytes of cookies, or ` +
    `${HEAD.toLocaleString('en')} bytes of other fields.`,
  source:
    'RFC 6265, section 6.1 (4,096 bytes per cookie); nginx and Apache refuse lines or heads over 8 KB by default.',
  remedy: 'Send fewer and shorter fields.',
  find: ({ byOrigin }) =>
    [...byOrigin].flatMap(([origin, facts]) => KINDS.flatMap((kind) => evidenceOf(origin, facts, kind))),
};
