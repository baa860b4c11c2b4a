import { expect, it } from 'vitest';
import { FactTimes } from '../../../../shared/insight/fact-times.ts';

const NAMES = ['start', 'end', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive', 'failedTries', 'rulesSend'] as const;

it('keeps the times of more exchanges than one block holds, each apart', () => {
  const phasesOf = (index: number) => ({
    dns: -1,
    connect: index + 0.25,
    ssl: index,
    send: 0.125,
    wait: index * 2,
    receive: 3,
    failedTries: -1,
    rulesSend: index % 2,
  });
  const timesOf = (index: number) => ({ start: 1_790_000_000_000.25 + index, end: 1_790_000_000_009 + index });
  const kept = Array.from({ length: 2500 }, (_, index) => {
    return new FactTimes({ ...timesOf(index), timings: phasesOf(index) });
  });
  for (const index of [0, 1023, 1024, 2499]) {
    const times = Object.fromEntries(NAMES.map((name) => [name, kept[index]?.[name]]));
    expect(times).toEqual({ ...timesOf(index), ...phasesOf(index) });
  }
});
