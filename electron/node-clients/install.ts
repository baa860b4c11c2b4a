import http from 'node:http';
import https from 'node:https';
import { tunnelGlobalAgent } from './global-agents.ts';
import { proxyChoice } from './proxy-choice.ts';
import { tunnelDefaultDispatchers } from './undici-dispatcher.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sends requests of Node's default agents and dispatchers through the proxy: http, https, fetch, WebSocket and undici.
 * Agents and dispatchers that the program creates are not changed.
 */
export function install(env: Environment): void {
  const choose = proxyChoice(env);
  tunnelGlobalAgent(http.globalAgent, false, choose);
  tunnelGlobalAgent(https.globalAgent, true, choose);
  tunnelDefaultDispatchers(choose);
}
