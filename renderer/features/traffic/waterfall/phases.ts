import type { Timings } from '../../../../shared/model/timings.ts';

/** One phase of an exchange as the waterfall and the Timings tab show it. */
export interface Phase {
  key:
    | 'blocked'
    | 'rules'
    | 'tries'
    | 'dns'
    | 'connect'
    | 'ssl'
    | 'send'
    | 'heldBody'
    | 'wait'
    | 'held'
    | 'receive'
    | 'unsplit';
  label: string;
  about: string;
  /** Milliseconds after the exchange's start. */
  start: number;
  /** Milliseconds. */
  duration: number;
}

const ABOUT: Record<Phase['key'], [label: string, about: string]> = {
  blocked: ['Blocked', 'Waiting for a connection or in a queue'],
  rules: ['Rules', 'Rules or the throttle held the request'],
  tries: ['Failed attempts', 'Failed attempts and the pauses between them; see the Attempts tab'],
  dns: ['DNS', 'Resolving the server name'],
  connect: ['Connect', 'Opening the TCP connection, through the upstream proxy if any'],
  ssl: ['TLS', 'TLS handshake with upstream'],
  send: ['Send', 'Sending the request, first to last byte'],
  heldBody: ['Throttle, request', 'The throttle held the request’s body'],
  wait: ['Wait (TTFB)', 'Waiting for the response: last byte sent to first byte received'],
  held: ['Rules, response', 'Rules or the throttle held the response'],
  receive: ['Receive', 'Receiving the response, first to last byte'],
  unsplit: ['All phases', 'The imported file has the time in all, and no phases'],
};

/** All phases, in the order of time. */
export const PHASES = Object.keys(ABOUT) as readonly Phase['key'][];

/** What is left of a phase without its parts; -1 if it did not take place. */
function without(phase: number, ...parts: number[]): number {
  if (phase < 0) return -1;
  return Math.max(phase - parts.reduce((sum, part) => sum + Math.max(part, 0), 0), 0);
}

/**
 * The phases that took place, one after another. In HAR, `ssl` is a part of `connect`, and failed attempts and rules
 * are parts of `blocked` and `receive`; here they are separate: the bars don't overlap. -1: the phase did not
 * take place.
 */
export function phasesOf(timings: Timings): Phase[] {
  const tcp = timings.connect < 0 ? -1 : timings.connect - Math.max(timings.ssl, 0);
  const order: [Phase['key'], number][] = [
    ['blocked', without(timings.blocked, timings.failedTries, timings.rules)],
    ['rules', timings.rules],
    ['tries', timings.failedTries],
    ['dns', timings.dns],
    ['connect', tcp],
    ['ssl', timings.ssl],
    ['send', without(timings.send, timings.rulesSend)],
    ['heldBody', timings.rulesSend],
    ['wait', timings.wait],
    ['held', timings.rulesResponse],
    ['receive', without(timings.receive, timings.rulesResponse)],
    ['unsplit', timings.unsplit],
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
