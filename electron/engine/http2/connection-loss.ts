/** A GOAWAY, with its debug data as Latin-1 (RFC 9113, section 6.8). */
export interface Goaway {
  code: number;
  text: string;
}

/** How a connection ended while exchanges were open on it. */
export interface ConnectionLoss {
  /** The GOAWAY received before the end; null if there was none. */
  goaway: Goaway | null;
  /** A rule asks for the GOAWAY: it is sent although other streams are open, which finish. */
  isWanted?: boolean;
}

/** What ended an exchange upstream: the loss of its connection, or RST_STREAM on its stream alone; null for neither. */
export type UpstreamLoss = ConnectionLoss | 'stream' | null;

/** A connection's end as passed on to a peer. */
export interface PassedLoss extends ConnectionLoss {
  tcpReset: boolean;
}

/** The connection ended, or never opened, without a GOAWAY. */
export const WITHOUT_GOAWAY: ConnectionLoss = { goaway: null };
