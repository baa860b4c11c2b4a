import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Environment } from '../../run-command.ts';

function given(env: Environment, ...names: string[]): string | null {
  for (const name of names) if (env[name]) return env[name] ?? null;
  return null;
}

/**
 * The proxies of the environment as curl reads them (curl(1), "ENVIRONMENT"): lower case before upper, and `http_proxy`
 * in lower case only, since a CGI program's HTTP_PROXY is its client's `Proxy` header. Null: none is set.
 */
export function environmentProxy(env: Environment): SystemProxy | null {
  const http = given(env, 'http_proxy');
  const https = given(env, 'https_proxy', 'HTTPS_PROXY');
  const other = given(env, 'all_proxy', 'ALL_PROXY');
  if (http === null && https === null && other === null) return null;
  const bypass = (given(env, 'no_proxy', 'NO_PROXY') ?? '').split(/[,\s]+/).filter(Boolean);
  return { from: 'the environment variables', http, https, other, bypass, pac: null };
}
