import type { Timings } from '../../../shared/model/timings.ts';

export interface Phase {
  key: 'blocked' | 'tries' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive';
  label: string;
  about: string;
  /** Milliseconds after the exchange's start. */
  start: number;
  duration: number;
}

const ABOUT: Record<Phase['key'], [label: string, about: string]> = {
  blocked: ['Blocked', 'Waiting for a connection: queued, or while one was looked for'],
  tries: ['Failed tries', 'Tries that failed, and the pauses between them; each stands under Attempts'],
  dns: ['DNS', 'Looking up the address of the server'],
  connect: ['Connect', 'TCP, and the upstream proxy where there is one'],
  ssl: ['TLS', 'The TLS handshake with upstream'],
  send: ['Send', 'First byte of the request out until its last'],
  wait: ['Wait (TTFB)', "The server's time: last byte of the request out until the first of the response in"],
  receive: ['Receive', 'First byte of the response in until its last'],
};

/** The phases that took place, one after another; TLS stands beside TCP, not within it as in HAR. */
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
