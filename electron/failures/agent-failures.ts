import { entry } from './entry.ts';

/** Requests of agents that are refused. */
export const AGENT_FAILURES = {
  'agents.read-only': entry<{ tool: string }>(
    'roundtrip',
    (a) =>
      `${a.tool} changes traffic, and agents may only read. The user can allow it: Agents and tracing in the ` +
      'window, or --agents-may-write.',
  ),
  'agents.bad-query': entry<{ query: string; detail: string }>(
    'roundtrip',
    (a) => `The query "${a.query}" can't be used: ${a.detail}`,
  ),
  'agents.bad-json-path': entry<{ path: string; rest: string }>(
    'roundtrip',
    (a) => `The JSON path ${a.path} is not valid at "${a.rest}": use names, [0], [*] and ["any name"].`,
  ),
  'agents.not-json': entry<{ id: number; type: string }>(
    'roundtrip',
    (a) => `The body of exchange ${a.id} is not JSON (${a.type}): read it without jsonPath.`,
  ),
  'agents.body-too-large': entry<{ id: number; limit: number }>(
    'roundtrip',
    (a) => `The body of exchange ${a.id} exceeds ${a.limit} bytes decoded. It is in the session file.`,
  ),
  'agents.too-many-rows': entry<{ limit: number }>(
    'roundtrip',
    (a) => `More than ${a.limit} exchanges match: narrow the query, or use roundtrip compare.`,
  ),
  'agents.bad-budget': entry<{ line: string; detail: string }>(
    'roundtrip',
    (a) => `The budget line "${a.line}" can't be used: ${a.detail}`,
  ),
  'agents.host-not-approved': entry<{ host: string }>(
    'roundtrip',
    (a) =>
      `Agents may not send to ${a.host}. The user can approve it: Agents and tracing in the window, or ` +
      `--agents-send-to ${a.host}.`,
  ),
  'agents.bad-rule': entry<{ detail: string }>('roundtrip', (a) => `The rule can't be used: ${a.detail}.`),
  'agents.too-many-rules': entry<{ limit: number }>(
    'roundtrip',
    (a) => `Agents have ${a.limit} rules, and further ones are refused: use clear_mine, or replace one by its name.`,
  ),
  'agents.too-many-calls': entry<{ limit: number }>(
    'roundtrip',
    (a) => `${a.limit} agent calls are under way, and further ones are refused: wait for their results.`,
  ),
  'agents.message-too-large': entry<{ limit: number }>(
    'roundtrip',
    (a) => `The agent sent a message of more than ${a.limit} bytes, and its connection was closed: start it again.`,
  ),
  'agents.result-too-large': entry<{ size: number; limit: number }>(
    'roundtrip',
    (a) => `The result has ${a.size} characters; the limit is ${a.limit}: ask for fewer rows or fields, or for a file.`,
  ),
} as const;
