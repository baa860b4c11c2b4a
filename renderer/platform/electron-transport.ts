import type { Call, Notice, Reply } from '../../shared/contract/envelope.ts';
import type { Transport } from './transport.ts';

export interface ElectronBridge {
  call(call: Call): Promise<Reply>;
  onNotice(listener: (notice: Notice) => void): () => void;
}

declare global {
  interface Window {
    /** What the preload script exposes; absent in a browser. */
    readonly roundtrip?: ElectronBridge;
  }
}

/** Within one process tree the host is always there. */
export function electronTransport(bridge: ElectronBridge): Transport {
  return {
    send: (call) => bridge.call(call),
    onMessage: (listener) => {
      bridge.onNotice(listener);
    },
    onConnection: (listener) => listener(true),
  };
}
