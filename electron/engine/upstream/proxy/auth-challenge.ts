/** One scheme that a proxy offers (RFC 9110, section 11.6.1). */
export interface AuthChallenge {
  /** Lower case. */
  scheme: string;
  /** What follows the scheme in place of parameters: the base64 of NTLM and Negotiate. */
  token: string | null;
  /** Names in lower case. */
  params: ReadonlyMap<string, string>;
}

// A scheme is followed by nothing, by a token68, or by name=value pairs; pairs and challenges are both set apart by commas.
const PART = /([!#$%&'*+\-.^`|~\w]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|\s+([\w\-.~+/]+=*)(?=\s*(?:,|$)))?/g;

function readValue(value: string): AuthChallenge[] {
  const challenges: { scheme: string; token: string | null; params: Map<string, string> }[] = [];
  for (const [whole, name = '', quoted, bare, token] of value.matchAll(PART)) {
    const current = challenges.at(-1);
    if (whole.includes('=') && token === undefined && current && (quoted !== undefined || bare !== undefined)) {
      current.params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
    } else {
      challenges.push({ scheme: name.toLowerCase(), token: token ?? null, params: new Map() });
    }
  }
  return challenges;
}

/** All challenges of the values of `Proxy-Authenticate`, in the order that they came in. Never throws. */
export function readChallenges(values: readonly string[]): AuthChallenge[] {
  return values.flatMap(readValue);
}

/** The schemes that a 407 offers, for a sentence: `basic, digest`. */
export function offeredSchemes(challenges: readonly AuthChallenge[]): string {
  return [...new Set(challenges.map((each) => each.scheme))].join(', ') || 'no scheme named';
}
