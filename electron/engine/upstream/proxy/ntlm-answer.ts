import os from 'node:os';
import { createType1Message, createType3Message, parseType2Message } from '@node-ntlm/core';
import type { ProxyLogin } from './proxy-login.ts';

/** Splits `DOMAIN\user`. NTLM treats `user@domain` as a user without a domain, as Windows sends it. */
function partsOf({ user, password }: ProxyLogin) {
  const at = user.indexOf('\\');
  const domain = at < 0 ? '' : user.slice(0, at);
  const username = at < 0 ? user : user.slice(at + 1);
  return { domain, username, password, workstation: os.hostname().split('.', 1)[0] ?? '' };
}

/** The first message of the NTLM handshake ([MS-NTHT], section 1.3), which belongs to one connection. */
export function ntlmNegotiate(): string {
  // The domain and workstation need not be named before the proxy has identified itself.
  return createType1Message({ domain: '', workstation: '' });
}

/**
 * The last message, which responds to the proxy's challenge (base64) with NTLMv2. Throws an Error if the challenge is
 * invalid.
 */
export function ntlmAuthenticate(challenge: string, login: ProxyLogin): string {
  return createType3Message(parseType2Message(`NTLM ${challenge}`), partsOf(login));
}
