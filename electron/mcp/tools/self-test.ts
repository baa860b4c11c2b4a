import http from 'node:http';
import * as v from 'valibot';
import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import { counted } from '../../../shared/format/counts.ts';
import { CHECK_DOMAIN } from '../../../shared/model/capture-check.ts';
import { describe } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';
import { defineTool } from '../define-tool.ts';

interface Check {
  check: string;
  ok: boolean;
  detail: string;
}

/** Milliseconds. The proxy answers this request itself. */
const PATIENCE = 5000;

/** A request that the proxy answers without recording it. Resolves with the status. */
function throughProxy(proxyUrl: string): Promise<number> {
  const { hostname, port } = new URL(proxyUrl);
  const address = `http://${'0'.repeat(32)}.${CHECK_DOMAIN}/mark`;
  return new Promise((resolve, reject) => {
    const request = http.get({ host: hostname, port, path: address, timeout: PATIENCE, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error('no answer')));
  });
}

async function proxyCheck(api: InspectorApi): Promise<Check> {
  const { proxyUrl, failure } = await api.request('engine.status', {});
  const check = 'proxy answers';
  if (proxyUrl === '') return { check, ok: false, detail: failure?.message ?? 'It does not run.' };
  const answered = await throughProxy(proxyUrl).catch(describe);
  return { check, ok: answered === 200, detail: `${proxyUrl}: ${answered}` };
}

async function recordingCheck(api: InspectorApi): Promise<Check> {
  const [{ recording }, { recordingFailure }] = await Promise.all([
    api.request('settings.get', {}),
    api.request('engine.status', {}),
  ]);
  const detail = recordingFailure?.message ?? (recording ? 'Recording.' : 'Paused in the window.');
  return { check: 'recording', ok: recording && recordingFailure === null, detail };
}

async function trustCheck(api: InspectorApi): Promise<Check> {
  const { stores, path } = await api.request('ca.status', {});
  const trusting = stores.filter(({ state }) => state === 'trusted').map(({ label }) => label);
  const detail = trusting.length > 0 ? trusting.join(', ') : `No store trusts the CA; programs can be given ${path}.`;
  return { check: 'CA trusted', ok: trusting.length > 0, detail };
}

async function trafficCheck(context: AgentContext): Promise<Check> {
  const { sessions } = await context.api.request('sessions.list', {});
  const exchanges = sessions[0]?.exchanges ?? 0;
  const detail = exchanges > 0 ? `${counted(exchanges, 'exchange')}.` : 'None yet: point a client at the proxy.';
  return { check: 'traffic recorded', ok: exchanges > 0, detail };
}

export const selfTest = defineTool({
  name: 'self_test',
  description:
    'Checks that capturing works: the proxy answers, records, is trusted, has traffic. Use it when nothing arrives.',
  input: v.strictObject({}),
  async run(_input, context) {
    const { api } = context;
    const checks = [proxyCheck(api), recordingCheck(api), trustCheck(api), trafficCheck(context)];
    return { checks: await Promise.all(checks) };
  },
});
