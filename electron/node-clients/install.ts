import http from 'node:http';
import https from 'node:https';
import { tunnelGlobalAgent } from './global-agents.ts';
import { proxyChoice } from './proxy-choice.ts';
import { tunnelDefaultDispatchers } from './undici-dispatcher.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Sends what Node's defaults carry through the proxy: http, https, fetch, WebSocket and undici. An agent or dispatcher of the program's own is left alone. */
export function install(env: Environment): void {
  const choose = proxyChoice(env);
  tunnelGlobalAgent(http.globalAgent, false, choose);
  tunnelGlobalAgent(https.globalAgent, true, choose);
  tunnelDefaultDispatchers(choose);
}
