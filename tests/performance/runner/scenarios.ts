/** One line of the benchmark: what the load client sends, and to whom. */
export interface LoadScenario {
  name: string;
  title: string;
  origin: 'plain' | 'h1' | 'h2';
  /** Absolute-form requests instead of a CONNECT. */
  forward?: boolean;
  connections: number;
  streams?: number;
  method: 'GET' | 'POST';
  /** Go's net/http at both ends, as dear as ordinary clients and servers are, in place of the hand-made framing. */
  ordinary?: boolean;
  /** Milliseconds that the origin waits. */
  delay?: number;
  contenders: readonly string[];
}

/** Bytes of every answer, and of what is posted. */
export const BODY_BYTES = 1024;

const INTERCEPTORS = ['roundtrip', 'node-http', 'mockttp', 'http-mitm-proxy', 'mitmproxy'];
const H1 = ['direct', 'tunnel', ...INTERCEPTORS, 'node-framing'];
const H2 = ['direct', 'tunnel', 'roundtrip', 'node-http', 'mockttp', 'mitmproxy'];
const FORWARDERS = [
  ...['roundtrip', 'http-proxy', 'http-proxy-3', 'httpxy', 'fastify-http-proxy'],
  ...['fast-proxy', 'fast-proxy-undici', 'node-framing'],
];

function h1(name: string, title: string, method: 'GET' | 'POST', connections: number): LoadScenario {
  return { name, title, origin: 'h1', method, connections, contenders: H1 };
}

function h2(name: string, title: string, method: 'GET' | 'POST'): LoadScenario {
  return { name, title, origin: 'h2', method, connections: 8, streams: 8, contenders: H2 };
}

function plain(name: string, title: string, method: 'GET' | 'POST'): LoadScenario {
  return {
    name,
    title,
    origin: 'plain',
    forward: true,
    method,
    connections: 128,
    contenders: ['direct', ...FORWARDERS],
  };
}

/** The same between an ordinary client and an ordinary server. */
function ordinary(scenario: LoadScenario): LoadScenario {
  return {
    ...scenario,
    name: `${scenario.name}-ordinary`,
    title: `${scenario.title}, net/http at both ends`,
    ordinary: true,
  };
}

const CENTRAL: readonly LoadScenario[] = [
  h1('h1-get', 'HTTP/1.1 GET, 64 connections', 'GET', 64),
  h1('h1-post', 'HTTP/1.1 POST, 64 connections', 'POST', 64),
  h1('h1-one', 'HTTP/1.1 GET, 1 connection', 'GET', 1),
  h2('h2-get', 'HTTP/2 GET, 8 connections of 8 streams', 'GET'),
  h2('h2-post', 'HTTP/2 POST, 8 connections of 8 streams', 'POST'),
];

export const LOAD_SCENARIOS: readonly LoadScenario[] = [
  ...CENTRAL,
  plain('plain-get', 'Plain HTTP GET, 128 connections', 'GET'),
  plain('plain-post', 'Plain HTTP POST, 128 connections', 'POST'),
  { ...h1('h1-delay', 'HTTP/1.1 GET, 64 connections, 20 ms at the origin', 'GET', 64), delay: 20 },
  ...CENTRAL.map(ordinary),
];

export function scenarioOf(name: string): LoadScenario {
  const scenario = LOAD_SCENARIOS.find((each) => each.name === name);
  if (scenario) return scenario;
  throw new Error(`${name} is no scenario: ${LOAD_SCENARIOS.map((each) => each.name).join(', ')}`);
}
