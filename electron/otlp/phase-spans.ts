import type { Exchange } from '../../shared/model/exchange.ts';

/** A part of an attempt. Milliseconds after the exchange's start. */
export interface Phase {
  /** Index of the span's id; 0 is the attempt's. */
  index: number;
  name: string;
  from: number;
  to: number;
  /** Index of the phase that holds it; 0: the attempt. */
  within: number;
}

const CONNECTION_SETUP = 2;

/**
 * The phases of the last attempt, by .NET's names where it has one. Earlier attempts failed while connecting, or were
 * cut off: their phases are not recorded one by one.
 */
export function phasesOf({ timings, attempts }: Exchange): Phase[] {
  const begin = attempts.at(-1)?.startedAfter ?? 0;
  const phases: Phase[] = [];
  let at = Math.max(timings.blocked, 0);
  const add = (index: number, name: string, duration: number, within = 0) => {
    if (duration < 0) return;
    phases.push({ index, name, from: at, to: at + duration, within });
    at += duration;
  };
  if (at > begin) phases.push({ index: 1, name: 'HTTP wait_for_connection', from: begin, to: at, within: 0 });
  const isOpened = timings.dns >= 0 || timings.connect >= 0;
  if (isOpened) {
    const setup = Math.max(timings.dns, 0) + Math.max(timings.connect, 0);
    phases.push({ index: CONNECTION_SETUP, name: 'HTTP connection_setup', from: at, to: at + setup, within: 0 });
    add(3, 'DNS lookup', timings.dns, CONNECTION_SETUP);
    const tls = Math.max(timings.ssl, 0);
    add(4, 'socket connect', timings.connect < 0 ? -1 : timings.connect - tls, CONNECTION_SETUP);
    add(5, 'TLS client handshake', timings.ssl, CONNECTION_SETUP);
  }
  add(6, 'HTTP send_request', timings.send);
  add(7, 'HTTP wait_for_response', timings.wait);
  add(8, 'HTTP receive_response', timings.receive);
  return phases;
}
