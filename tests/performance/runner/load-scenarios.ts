import { type Load, runLoad } from './load-run.ts';
import type { Column, Scenario } from './scenario.ts';

const H1 = [
  ...['direct', 'tunnel', 'roundtrip', 'node-framing', 'node-http'],
  ...['mockttp', 'http-mitm-proxy', 'mitmproxy'],
];
const H2 = ['direct', 'tunnel', 'roundtrip', 'node-http', 'mockttp', 'mitmproxy'];
export const REVERSE_PROXIES = ['http-proxy-3', 'httpxy', 'fastify-http-proxy', 'fast-proxy', 'fast-proxy-undici'];
export const FORWARDERS = [
  'http-proxy',
  'http-proxy-3',
  'httpxy',
  'fastify-http-proxy',
  'fast-proxy',
  'fast-proxy-undici',
];
const PLAIN = ['direct', 'tunnel', 'roundtrip', 'node-framing', ...FORWARDERS];
const ABLATIONS = [
  'no interception',
  'no recording',
  'no window',
  'no keep-alive',
  'no retry',
  'Nagle on',
  'busy polling',
  '200 idle rules',
  'with OTLP',
];

const COLUMNS: readonly Column[] = [
  { metric: 'perSecond', head: 'requests/s', unit: 1, digits: 0 },
  { metric: 'p50', head: 'p50 ms', unit: 1000, digits: 2 },
  { metric: 'p90', head: 'p90', unit: 1000, digits: 2 },
  { metric: 'p99', head: 'p99', unit: 1000, digits: 1 },
  { metric: 'max', head: 'max', unit: 1000, digits: 0 },
  { metric: 'threadCpu', head: 'engine us', unit: 1, digits: 1 },
  { metric: 'cpu', head: 'CPU us', unit: 1, digits: 1 },
  { metric: 'memory', head: 'MB', unit: 1e6, digits: 0 },
];

function loadScenario(name: string, title: string, contenders: readonly string[], load: Load): Scenario {
  return {
    ...{ name, title, contenders, metric: 'perSecond', better: 'higher', columns: COLUMNS },
    ratiosTo: contenders.includes('roundtrip') && !contenders.includes('direct') ? ['roundtrip'] : ['tunnel', 'direct'],
    async check({ ports }, contender, running) {
      await runLoad({ ...load, connections: 1 }, contender, running, ports, { warmUp: 0.1, measured: 0.3 });
    },
    measure: ({ ports, spans }, contender, running) => runLoad(load, contender, running, ports, spans),
  };
}

const h1 = (method: 'GET' | 'POST', connections: number): Load => ({ origin: 'h1', method, connections });
const h2 = (method: 'GET' | 'POST'): Load => ({ origin: 'h2', method, connections: 8, streams: 8 });
const plain = (method: 'GET' | 'POST'): Load => ({ origin: 'plain', method, connections: 128 });

const CENTRAL: readonly [string, string, readonly string[], Load][] = [
  ['h1-get', 'HTTP/1.1 GET, 64 connections', H1, h1('GET', 64)],
  ['h1-post', 'HTTP/1.1 POST of 1 KB, 64 connections', H1, h1('POST', 64)],
  ['h1-one', 'HTTP/1.1 GET, 1 connection', [...H1, 'busy polling'], h1('GET', 1)],
  ['h2-get', 'HTTP/2 GET, 8 connections of 8 streams', H2, h2('GET')],
  ['h2-post', 'HTTP/2 POST of 1 KB, 8 connections of 8 streams', H2, h2('POST')],
  ['plain-get', 'Plain HTTP GET, 128 connections', PLAIN, plain('GET')],
  ['plain-post', 'Plain HTTP POST of 1 KB, 128 connections', PLAIN, plain('POST')],
];

const ordinary = (load: Load): Load => ({ ...load, ordinary: true });

export const LOAD_SCENARIOS: readonly Scenario[] = [
  ...CENTRAL.map(([name, title, contenders, load]) =>
    loadScenario(`${name}-ordinary`, `${title}; net/http at both ends`, contenders, ordinary(load)),
  ),
  ...CENTRAL.map(([name, title, contenders, load]) => loadScenario(name, `${title}; hand-made ends`, contenders, load)),
  loadScenario(
    'reverse-get-ordinary',
    'Plain HTTP GET to a reverse proxy, 128 connections; net/http at both ends',
    ['direct', 'reverse listener', ...REVERSE_PROXIES],
    { ...ordinary(plain('GET')), reverse: true },
  ),
  loadScenario('h1-delay', 'HTTP/1.1 GET, 64 connections, 20 ms at the origin', H1, { ...h1('GET', 64), delay: 20 }),
  loadScenario(
    'ablations-h1',
    'What each part costs: HTTP/1.1 GET, 64 connections',
    ['roundtrip', ...ABLATIONS],
    h1('GET', 64),
  ),
  loadScenario(
    'ablations-h2',
    'What each part costs: HTTP/2 GET, 8 x 8',
    ['roundtrip', ...ABLATIONS],
    ordinary(h2('GET')),
  ),
];
