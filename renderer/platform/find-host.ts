import { connectInspector } from '../../shared/client/connect-inspector.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { hostConnection } from './connect-early.ts';

/** The API of the host that opened this window. */
export function findHost(onBad: (sentence: string) => void): InspectorApi {
  return connectInspector(hostConnection, onBad);
}
