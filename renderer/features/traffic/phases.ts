import type { Timings } from '../../../shared/model/timings.ts';

/** One phase of an exchange as the waterfall and the Timings tab show it. */
export interface Phase {
  key: 'blocked' | 'tries' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive';
  label: string;
  about: string;
  /** Milliseconds after the exchange's start. */
  start: number;
  /** Milliseconds. */
  duration: number;
}

const ABOUT: Record<Phase['key'], [label: string, about: string]> = {
  blocked: ['Blocked', 'Waiting for a connection or in a queue'],
  tries: ['Failed attempts', 'Failed attempts and the pauses between them; see the Attempts tab'],
  dns: ['DNS', 'Resolving the server name'],
  connect: ['Connect', 'Opening the TCP connection, through the upstream proxy if any'],
  ssl: ['TLS', 'TLS handshake with upstream'],
  send: ['Send', 'Sending the request, first to last byte'],
  wait: ['Wait (TTFB)', 'Waiting for the response: last byte sent to first byte received'],
  receive: ['Receive', 'Receiving the response, first to last byte'],
};

/**
 * The phases that took place, one after another. In HAR, `ssl` is a part of `connect` and failed attempts are a part of
 * `blocked`; here they are separate, so that the bars don't overlap. -1: the phase did not take place.
 */
export function phasesOf(timings: Timings): Phase[] {
  const tcp = timings.connect < 0 ? -1 : timings.connect - Math.max(timings.ssl, 0);
  const order: [Phase['key'], number][] = [
    ['blocked', timings.blocked < 0 ? -1 : timings.blocked - Math.max(timings.failedTries, 0)],
    ['tries', timings.failedTries],
    ['dns', timings.dns],
    ['connect', tcp],
    ['ssl', timings.ssl],
    ['send', timings.send],
    ['wait', timings.wait],
    ['receive', timings.receive],
  ];
  let start = 0;
  return order.flatMap(([key, duration]) => {
    if (duration < 0) return [];
    const [label, about] = ABOUT[key];
    const phase = { key, label, about, start, duration };
    start += duration;
    return [phase];
  });
}
