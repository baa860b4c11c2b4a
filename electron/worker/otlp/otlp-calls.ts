import type { OtlpStatus } from '../../../shared/model/otlp/otlp.ts';

/** What the thread exports, and where. */
export interface OtlpTarget {
  /** The session file, which may not exist yet. */
  path: string;
  url: string;
  unsampled: boolean;
  /** Milliseconds since the Unix epoch: exchanges that began before are left out. */
  since: number;
  version: string;
}

/** Calls to the thread that exports to a collector. */
export type OtlpCalls = {
  /** Exports this from now on, in place of the previous target. */
  follow: { input: OtlpTarget; output: null };
  /** Sends what has ended, for at most `within` milliseconds; the rest then counts as dropped. Then it pauses. */
  finish: { input: { within: number }; output: OtlpStatus };
};

/** The status changed. */
export type OtlpNotice = OtlpStatus;
