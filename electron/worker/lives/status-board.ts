import type { EngineStatus } from '../../../shared/model/engine-status.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import type { EngineVitals } from '../engine-calls.ts';

const NO_VITALS: EngineVitals = { clientConnections: 0, upstreamConnections: 0, bytesNotKept: 0, ruleHits: [] };

/**
 * The state of the engine and its recording as shown in windows. `onChange` is called for each change except counts.
 */
export class StatusBoard {
  readonly #onChange: (status: EngineStatus) => void;
  readonly #counts: () => Pick<EngineStatus, 'waiting' | 'lost'>;
  #state: EngineStatus['state'] = 'starting';
  #proxyUrl = '';
  #failure: Failure | null = null;
  #recordingFailure: Failure | null = null;
  #moved: Failure | null = null;
  /** Bytes; see `#memoryNow`. */
  #memory = 0;
  #reverse: ReverseStatus[] = [];
  vitals = NO_VITALS;

  constructor(onChange: (status: EngineStatus) => void, counts: () => Pick<EngineStatus, 'waiting' | 'lost'>) {
    this.#onChange = onChange;
    this.#counts = counts;
  }

  get status(): EngineStatus {
    const { waiting, lost } = this.#counts();
    return {
      state: this.#state,
      proxyUrl: this.#proxyUrl,
      failure: this.#failure ?? this.#moved,
      reverse: this.#reverse,
      recordingFailure: this.#recordingFailure,
      waiting: this.#recordingFailure === null ? 0 : waiting,
      lost,
      memory: this.#memoryNow(),
      ...this.vitals,
    };
  }

  say(): void {
    this.#onChange(this.status);
  }

  reverse(listeners: ReverseStatus[]): void {
    this.#reverse = listeners;
    this.say();
  }

  running(proxyUrl: string): void {
    this.#proxyUrl = proxyUrl;
    // After a restart, keep showing why the engine died; after a failed start, clear the failure.
    this.#set('running', this.#state === 'restarting' ? this.#failure : null);
  }

  restarting(failure: Failure): void {
    this.#over();
    this.#set('restarting', failure);
  }

  failed(failure: Failure): void {
    this.#over();
    this.#proxyUrl = '';
    this.#set('failed', failure);
  }

  /** Why the session file cannot be written; null: it can be written again. */
  recording(failure: Failure | null): void {
    this.#recordingFailure = failure;
    this.say();
  }

  /** Why the session continues in another file; null: the user chose this file. */
  moved(failure: Failure | null): void {
    this.#moved = failure;
    this.say();
  }

  /** Clears what belonged to a life that ended. */
  #over(): void {
    this.vitals = NO_VITALS;
    this.#reverse = [];
    this.#recordingFailure = null;
  }

  /** Linux reads it from a file, which fails while the process has no descriptors left: the last value stays. */
  #memoryNow(): number {
    try {
      this.#memory = process.memoryUsage.rss();
    } catch {
      // The engine reports that descriptors ran out.
    }
    return this.#memory;
  }

  #set(state: EngineStatus['state'], failure: Failure | null): void {
    this.#state = state;
    this.#failure = failure;
    this.say();
  }
}
