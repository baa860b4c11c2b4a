import type * as v from 'valibot';
import type { AgentContext } from './agent-context.ts';

type InputSchema = v.GenericSchema<unknown, object>;

/** One tool of the MCP server. */
export interface Tool {
  name: string;
  /** For the model: what it does, when to use it, and the units of its results. */
  description: string;
  input: InputSchema;
  /** Whether it changes traffic or sends requests: refused unless the user allows it (`agentsMayWrite`). */
  writes: boolean;
  /** Rejects with a coded error. `input`: as `input` parsed it. `signal`: aborts when the agent no longer waits. */
  run(input: object, context: AgentContext, signal: AbortSignal): Promise<unknown>;
}

/** Keeps the input's type inside the tool: the list of tools holds them as one type. */
export function defineTool<S extends InputSchema>(tool: {
  name: string;
  description: string;
  input: S;
  writes?: boolean;
  run: (input: v.InferOutput<S>, context: AgentContext, signal: AbortSignal) => Promise<unknown>;
}): Tool {
  const { run, writes = false, ...rest } = tool;
  return { ...rest, writes, run: (input, context, signal) => run(input as v.InferOutput<S>, context, signal) };
}
