import readline from 'node:readline';
import { Writable } from 'node:stream';
import { parseProxyUrl } from '../../shared/format/proxy-url.ts';
import type { Settings } from '../../shared/model/settings.ts';

export interface PromptEnds {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Asks for a password at a terminal, without echo. */
function askPassword(question: string, { input, output }: PromptEnds): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = readline.createInterface({ input, output: silent, terminal: true });
  output.write(question);
  return new Promise((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  }).then((answer) => {
    lines.close();
    output.write('\n');
    return String(answer);
  });
}

/**
 * The login for upstream proxies on a host without a window: from `ROUNDTRIP_PROXY_USER` and
 * `ROUNDTRIP_PROXY_PASSWORD`, or from a prompt at the terminal if the address has a user but no password. Null:
 * neither. The login is not stored.
 */
export async function proxyLogin(
  overrides: Partial<Settings>,
  env: Readonly<Record<string, string | undefined>>,
  ends: PromptEnds,
): Promise<Settings['proxyLogin'] | null> {
  const user = env.ROUNDTRIP_PROXY_USER ?? '';
  if (user !== '') return { user, password: env.ROUNDTRIP_PROXY_PASSWORD ?? '' };
  const url = overrides.upstreamProxy?.url ?? '';
  if (url === '') return null;
  const named = parseProxyUrl(url);
  if (named.user === '' || named.password !== '') return null;
  const given = env.ROUNDTRIP_PROXY_PASSWORD;
  if (given !== undefined) return { user: named.user, password: given };
  if (!ends.input.isTTY) return null;
  const password = await askPassword(`Password of ${named.user} for the proxy ${named.host}: `, ends);
  return { user: named.user, password };
}
