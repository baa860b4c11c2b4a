import type { Failure } from '../../../shared/model/failure.ts';
import type { ProxyFacts } from '../../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import { openWay, type WayContext } from '../upstream/connect/open-way.ts';
import { makeOrigin } from '../upstream/origin.ts';
import type { UpstreamProxies } from '../upstream/proxy/upstream-proxy.ts';
import { Routes, type RunPac } from './routes.ts';

/** Failures that come after the proxy accepted the login: only the target could not be reached. */
const ACCEPTED = new Set([
  'proxy.forbidden',
  'proxy.bad-gateway',
  'proxy.unavailable',
  'proxy.gateway-timeout',
  'proxy.connect-rejected',
  'proxy.socks-refused',
]);

export interface RouteTest {
  settings: Settings;
  facts: ProxyFacts;
  target: { host: string; port: number };
}

function result(startedAt: number, via: string | null, reason: string, failure: Failure | null): ProxyTest {
  const state = failure === null ? 'works' : ACCEPTED.has(failure.code) ? 'answers' : 'fails';
  return { state, via, reason, failure, milliseconds: Math.round(performance.now() - startedAt) };
}

/**
 * Tests settings before they are applied: opens a tunnel to the target along the route they choose, then closes it.
 * Failures are returned, not thrown, except `proxy.bad-address`.
 */
export async function testRoute(
  { settings, facts, target }: RouteTest,
  proxies: UpstreamProxies,
  runPac: RunPac | null,
  context: WayContext,
): Promise<ProxyTest> {
  const startedAt = performance.now();
  const routes = new Routes(settings, proxies, runPac);
  routes.applyFacts(facts);
  let via: string | null = null;
  let reason = '';
  try {
    const route = await routes.find({ scheme: 'https', ...target });
    via = route.proxy?.label ?? null;
    reason = route.reason;
    const origin = makeOrigin({ scheme: 'https', ...target, serverName: target.host, alpn: [] }, route);
    const { socket } = await openWay(origin, context, null);
    socket.destroy();
    return result(startedAt, via, reason, null);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return result(startedAt, via, reason, error.failure);
  }
}
