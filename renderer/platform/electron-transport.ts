import type { Transport } from '../../shared/client/transport.ts';
import type { Call, Notice, Reply } from '../../shared/contract/envelope.ts';

/** What the preload script offers; see electron/preload. */
export interface ElectronBridge {
  /** Resolves with the reply; an error of the host is a reply too. */
  call(call: Call): Promise<Reply>;
  /** Returns a function that stops listening. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** The path of a file that the user dropped or chose; empty for a file without a path. */
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
