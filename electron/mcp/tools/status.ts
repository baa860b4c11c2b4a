import * as v from 'valibot';
import { defineTool } from '../define-tool.ts';

export const status = defineTool({
  name: 'status',
  description:
    'Addresses of the proxy and its reverse listeners, whether it records, the open sessions (id, file, exchanges), ' +
    'and whether you may change traffic.',
  input: v.strictObject({}),
  async run(_input, { api }) {
    const [info, engine, settings, { sessions }] = await Promise.all([
      api.request('app.info', {}),
      api.request('engine.status', {}),
      api.request('settings.get', {}),
      api.request('sessions.list', {}),
    ]);
    const { state, proxyUrl, failure, reverse, recordingFailure, lost } = engine;
    return {
      version: info.version,
      proxy: { state, url: proxyUrl, failure: failure?.message ?? null },
      reverse: reverse.map(({ listen, origin, url, failure: why }) => {
        return { listen, origin, url, failure: why?.message ?? null };
      }),
      recording: { on: settings.recording, failure: recordingFailure?.message ?? null, lost },
      mayWrite: settings.agentsMayWrite,
      sessions,
    };
  },
});
