import type { Contender, Running, Surroundings } from './contender.ts';

export interface OriginPorts {
  plain: number;
  h1: number;
  h2: number;
  ordinaryPlain: number;
  ordinaryH1: number;
  ordinaryH2: number;
}

/** Seconds before counting, and of counting. */
export interface Spans {
  warmUp: number;
  measured: number;
}

/** What all scenarios of a run share. */
export interface Context {
  ports: OriginPorts;
  upstreamCa: string;
  /** A key and its certificates for localhost by that CA, PEM. */
  upstreamLeaf: string;
  /** Where contenders have their folders. */
  folder: string;
  rounds: number;
  spans: Spans;
  /** Quick runs move smaller bodies and open fewer connections. */
  quick: boolean;
  only: readonly string[] | null;
  /** The product at another commit, next to it in each round; null: not asked for. */
  base: Contender | null;
  profiles: string | null;
}

/** What one contender did in one round, by the metric's name. Times are in microseconds, sizes in bytes. */
export type Round = Readonly<Record<string, number>>;

export interface Column {
  metric: string;
  head: string;
  /** What a value is divided by to be shown. */
  unit: number;
  digits: number;
}

/** One table of the benchmark. */
export interface Scenario {
  name: string;
  title: string;
  contenders: readonly string[];
  /** What contenders are compared by. */
  metric: string;
  better: 'higher' | 'lower';
  /** Ratios of the metric are shown to these, where they take part. */
  ratiosTo: readonly string[];
  columns: readonly Column[];
  /** Whether a blind tunnel stands behind every contender. */
  secondProxy?: boolean;
  /** Whether the product's page is open in a browser, in place of a bare listener to its feed. */
  openPage?: Surroundings['openPage'];
  /** Writes the session file that the product begins with. */
  session?: (file: string) => void;
  /** Rounds, if the requested number is not suitable. */
  rounds?: number;
  /** Rejects if the contender does not respond correctly. It is not counted. */
  check?(context: Context, contender: Contender, running: Running): Promise<void>;
  /** Rejects if the round is void. */
  measure(context: Context, contender: Contender, running: Running, round: number): Promise<Round>;
}

export interface Result {
  contender: string;
  rounds: Round[];
  /** Why it has no rounds, or fewer. */
  failure: string | null;
}

export interface Outcome {
  name: string;
  title: string;
  results: Result[];
}
