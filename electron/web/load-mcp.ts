import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder in the data folder for files that agents get. */
export const AGENTS_FOLDER = 'agents';

/**
 * The MCP server's bundle. It is loaded for the first agent: the SDK would double the startup time of the command line.
 */
export function loadMcp(): typeof import('../mcp/mcp.ts') {
  return createRequire(path.join(__dirname, 'load-mcp.cjs'))('./mcp.cjs');
}
