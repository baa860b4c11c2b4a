import { describe, expect, it } from 'vitest';
import { parseTraceparent, SessionIds, traceIdOf } from '../../../../shared/format/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SESSION = '7f3c1f0e-2a51-4b6e-9d55-0c2f6f1c9a11';

describe('traceparent', () => {
  it('names trace, parent and whether it is sampled', () => {
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-01`)).toEqual({ traceId: TRACE, parentId: PARENT, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-00`)).toMatchObject({ sampled: false });
    expect(parseTraceparent(`cc-${TRACE}-${PARENT}-03-later`)).toMatchObject({ sampled: true });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])('%j is none', (value) => {
    expect(parseTraceparent(value)).toBeNull();
  });
});

describe('our own ids', () => {
  it('are valid, stable, and different for each exchange, attempt and phase', () => {
    const traces = new Set<string>();
    const spans = new Set<bigint>();
    const ids = new SessionIds(SESSION);
    for (let exchange = 1; exchange <= 200; exchange += 1) {
      traces.add(traceIdOf(SESSION, exchange, undefined));
      for (let attempt = 0; attempt < 4; attempt += 1)
        for (let phase = 0; phase < 9; phase += 1) spans.add(ids.span(exchange, attempt, phase));
    }
    expect(traces.size).toBe(200);
    expect(spans.size).toBe(200 * 4 * 9);
    for (const id of traces) expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const id of spans) expect(id > 0n && id < 2n ** 64n).toBe(true);
    expect(traceIdOf(SESSION, 7, undefined)).toBe(traceIdOf(SESSION, 7, 'nonsense'));
  });

  it('yield to the trace that the request names', () => {
    expect(traceIdOf(SESSION, 7, `00-${TRACE}-${PARENT}-00`)).toBe(TRACE);
  });
});
