import { connectInspector } from '../../shared/client/connect-inspector.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { Host } from './host.ts';
import type { FileSink } from './host-services.ts';

/** This process's host through the contract, for code that also works with hosts in other processes. */
export function localApi(host: Pick<Host, 'connect'>, files: FileSink | null = null): InspectorApi {
  let hear: (message: unknown) => void = () => undefined;
  const connection = host.connect((notice) => hear(notice), files);
  return connectInspector(
    {
      send: (call) => connection.dispatch(call),
      onMessage: (listener) => {
        hear = listener;
      },
      onConnection: (listener) => listener(true),
    },
    () => undefined,
  );
}
