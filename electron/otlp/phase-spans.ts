import type { Exchange } from '../../shared/model/exchange.ts';

/** A part of an attempt. Milliseconds after the exchange's start. */
export interface Phase {
  /** In PHASES, and of the span's id. */
  index: number;
  from: number;
  to: number;
  /** Index of the phase that holds it; 0: the attempt. */
  within: number;
}

/** Names of spans, as in .NET where it has one. The first is the attempt itself. */
export const PHASES = [
  '',
  'HTTP wait_for_connection',
  'HTTP connection_setup',
  'DNS lookup',
  'socket connect',
  'TLS client handshake',
  'HTTP send_request',
  'HTTP wait_for_response',
  'HTTP receive_response',
] as const;

const CONNECTION_SETUP = 2;

/**
 * The phases of the last attempt. Earlier attempts failed while connecting, or were cut off: their phases are not
 * recorded one by one.
 */
export function phasesOf({ timings, attempts }: Exchange): Phase[] {
  const begin = attempts.at(-1)?.startedAfter ?? 0;
  const phases: Phase[] = [];
  let at = Math.max(timings.blocked, 0);
  const add = (index: number, duration: number, within = 0) => {
    if (duration < 0) return;
    phases.push({ index, from: at, to: at + duration, within });
    at += duration;
  };
  if (at > begin) phases.push({ index: 1, from: begin, to: at, within: 0 });
  const isOpened = timings.dns >= 0 || timings.connect >= 0;
  if (isOpened) {
    const setup = Math.max(timings.dns, 0) + Math.max(timings.connect, 0);
    phases.push({ index: CONNECTION_SETUP, from: at, to: at + setup, within: 0 });
    add(3, timings.dns, CONNECTION_SETUP);
    const tls = Math.max(timings.ssl, 0);
    add(4, timings.connect < 0 ? -1 : timings.connect - tls, CONNECTION_SETUP);
    add(5, timings.ssl, CONNECTION_SETUP);
  }
  add(6, timings.send);
  add(7, timings.wait);
  add(8, timings.receive);
  return phases;
}
