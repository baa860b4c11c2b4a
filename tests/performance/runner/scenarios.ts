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
  /** Milliseconds that the origin waits. */
  delay?: number;
  contenders: readonly string[];
}

/** Bytes of every answer, and of what is posted. */
export const BODY_BYTES = 1024;

const EVERYONE = ['direct', 'tunnel', 'roundtrip', 'node-http', 'mockttp', 'http-mitm-proxy', 'mitmproxy'];

export const LOAD_SCENARIOS: readonly LoadScenario[] = [
  {
    name: 'h1-get',
    title: 'HTTP/1.1 GET, 64 connections',
    origin: 'h1',
    connections: 64,
    method: 'GET',
    contenders: [...EVERYONE, 'node-framing'],
  },
  {
    name: 'h1-post',
    title: 'HTTP/1.1 POST, 64 connections',
    origin: 'h1',
    connections: 64,
    method: 'POST',
    contenders: [...EVERYONE, 'node-framing'],
  },
];

export function scenarioOf(name: string): LoadScenario {
  const scenario = LOAD_SCENARIOS.find((each) => each.name === name);
  if (scenario) return scenario;
  throw new Error(`${name} is no scenario: ${LOAD_SCENARIOS.map((each) => each.name).join(', ')}`);
}
