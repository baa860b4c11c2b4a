/** One scheme that a proxy offers (RFC 9110, section 11.6.1). */
export interface AuthChallenge {
  /** Lower case. */
  scheme: string;
  /** The base64 that NTLM and Negotiate send instead of parameters. */
  token: string | null;
  /** Names in lower case. */
  params: ReadonlyMap<string, string>;
}

// A scheme is followed by nothing, a token68, or name=value pairs; commas separate both pairs and challenges.
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

/** Parses all challenges in the `Proxy-Authenticate` values, in order. Never throws. */
export function readChallenges(values: readonly string[]): AuthChallenge[] {
  return values.flatMap(readValue);
}

/** The schemes that a 407 offers, for use in a sentence: `basic, digest`. */
export function offeredSchemes(challenges: readonly AuthChallenge[]): string {
  return [...new Set(challenges.map((each) => each.scheme))].join(', ') || 'none named';
}
