import { expect, it } from 'vitest';
import { factTimings } from '../../../../shared/insight/fact-timings.ts';

const NAMES = ['dns', 'connect', 'ssl', 'send', 'wait', 'receive', 'failedTries'] as const;

it('keeps the phases of more exchanges than one block holds, each apart', () => {
  const phasesOf = (index: number) => ({
    dns: -1,
    connect: index + 0.25,
    ssl: index,
    send: 0.125,
    wait: index * 2,
    receive: 3,
    failedTries: -1,
  });
  const kept = Array.from({ length: 2500 }, (_, index) => factTimings(phasesOf(index)));
  for (const index of [0, 1023, 1024, 2499]) {
    const phases = Object.fromEntries(NAMES.map((name) => [name, kept[index]?.[name]]));
    expect(phases).toEqual(phasesOf(index));
  }
});
