import type { FaultName } from '../../support/fault-origin.ts';

/** Where a client asks: direct, or through the proxy at `proxyPort`. */
export interface Target {
  port: number;
  caPem: string;
  caPath: string;
  proxyPort: number | null;
}

/** A client whose errors are compared: what it reports for each fault, as one short text. */
export interface FaultyClient {
  name: string;
  /** Faults whose outcome depends on what the client was doing at that moment, direct too: what it may report. */
  races?: Record<string, readonly string[]>;
  /** Why it is skipped, or null. */
  missing(): string | null;
  /** One request for each fault, on its own connection. */
  outcomes(target: Target, faults: readonly FaultName[]): Promise<Record<string, string>>;
}

/** One after the other, each by itself. */
export async function inTurn(
  faults: readonly FaultName[],
  ask: (fault: FaultName) => Promise<string>,
): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const fault of faults) outcomes[fault] = await ask(fault);
  return outcomes;
}
