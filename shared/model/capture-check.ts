import * as v from 'valibot';

/**
 * Hosts below this can't exist (`.invalid`, RFC 6761); the engine itself answers them: a request to one proves that its
 * client uses Roundtrip, one over TLS that it trusts the CA. The label before it is the check's token.
 */
export const CHECK_DOMAIN = 'check.roundtrip.invalid';
/**
 * A request to any loopback address with this path and a token is answered by the engine too: a client that bypasses it
 * gets nothing.
 */
export const CHECK_PATH = '/roundtrip-check/';
/** Where the check page looks for a loopback address; nobody listens there, and browsers don't refuse it. */
export const CHECK_LOOPBACK = 'http://127.0.0.1:47812';

/**
 * - `plain`, `secure`: a request came over HTTP, over TLS.
 * - `refused`: the client refused our certificate; `detail` says how.
 * - `loopback`: a request to a loopback address came.
 * - `no-secure`, `no-loopback`: the check page says that one did not get through.
 * - `request`, `secure-request`, `refused-request`: from the launched program itself, not from its check. A request or
 *   a tunnel arrived; a request over TLS arrived; the program refused our certificate for a host.
 */
export const CheckStepSchema = v.picklist([
  ...(['plain', 'secure', 'refused', 'loopback', 'no-secure', 'no-loopback'] as const),
  ...(['request', 'secure-request', 'refused-request'] as const),
]);
export type CheckStep = v.InferOutput<typeof CheckStepSchema>;

/** What the engine saw of a check. */
export interface Sighting {
  /** 32 hexadecimal digits. */
  token: string;
  step: CheckStep;
  /** The client's User-Agent, or how it refused; may be empty. */
  detail: string;
  /** The client's address and port; null if it was gone already. */
  from: string | null;
}

export function checkHost(token: string): string {
  return `${token}.${CHECK_DOMAIN}`;
}

/** The page that a browser opens for its check; it then leads to `to` (http or https) if the check succeeds. */
export function checkPageUrl(token: string, to: string | null): string {
  return `http://${checkHost(token)}/${to === null ? '' : `?to=${encodeURIComponent(to)}`}`;
}
