import type { MessagePort } from 'node:worker_threads';
import type { ReplayRequest, ReplayResult } from '../../../shared/model/replay/replay-request.ts';
import type { Engine } from '../../engine/engine.ts';
import { bodyOf } from '../../engine/replay/replay-body.ts';
import { roundtripError } from '../../failures/errors.ts';
import { PortBody } from './body-port.ts';

/** A request's body on its way to the engine. `size`: bytes; `port`: where it is read from (`servePieces`). */
export type ReplayBodySource = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'port'; port: MessagePort; size: number };

/** The replayed requests whose end was not requested yet, on the engine's thread. */
export class RunningReplays {
  readonly #ends = new Map<number, Promise<ReplayResult>>();

  /** Throws `replay.bad-request`. */
  begin(engine: Engine, request: ReplayRequest, source: ReplayBodySource): { exchange: number } {
    const body = source.kind === 'bytes' ? bodyOf(source.bytes) : new PortBody(source.port, source.size);
    try {
      const { exchange, ended } = engine.replay(request, body);
      this.#ends.set(exchange, ended);
      return { exchange };
    } catch (error) {
      body.close();
      throw error;
    }
  }

  /** Call it once for each that began. */
  async end(exchange: number): Promise<ReplayResult> {
    const ended = this.#ends.get(exchange);
    this.#ends.delete(exchange);
    if (ended === undefined) throw roundtripError('session.not-found', { id: exchange });
    return await ended;
  }
}
