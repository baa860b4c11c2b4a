/** A GOAWAY, with its debug data as Latin-1 (RFC 9113, section 6.8). */
export interface Goaway {
  code: number;
  text: string;
}

/** How a connection ended under exchanges that it carried. */
export interface ConnectionLoss {
  /** The GOAWAY that came before; null: none. */
  goaway: Goaway | null;
}

/** What ended an exchange upstream: its connection, or RST_STREAM for it alone; null: neither. */
export type UpstreamLoss = ConnectionLoss | 'stream' | null;

/** How a connection ended, as a peer is to see it. */
export interface PassedLoss extends ConnectionLoss {
  tcpReset: boolean;
}

/** It ended, or was never open, and no GOAWAY said why. */
export const WITHOUT_GOAWAY: ConnectionLoss = { goaway: null };
