import type { Transport } from '../../shared/client/transport.ts';
import type { Call, Notice, Reply } from '../../shared/contract/envelope.ts';

/** What the preload script offers; see electron/preload. */
export interface ElectronBridge {
  call(call: Call): Promise<Reply>;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** The path of a file that the user dropped or chose; empty for one that lies nowhere. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    /** Exposed by the preload script; absent in a browser. */
    readonly roundtrip?: ElectronBridge;
  }
}

/** The desktop app's transport, over IPC. Always connected: host and window end together. */
export function electronTransport(bridge: ElectronBridge): Transport {
  return {
    send: (call) => bridge.call(call),
    onMessage: (listener) => {
      bridge.onNotice(listener);
    },
    onConnection: (listener) => listener(true),
  };
}
