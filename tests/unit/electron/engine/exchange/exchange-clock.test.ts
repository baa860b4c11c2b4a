import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExchangeClock, STAGES } from '../../../../../electron/engine/exchange/exchange-clock.ts';
import type { Opening } from '../../../../../electron/engine/upstream/upstream-stream.ts';
import { NO_TIMINGS, overheadTime, type Timings, totalTime } from '../../../../../shared/model/timings.ts';

const opening = (startedAt: number, dns: number, tcp: number, ssl: number): Opening => ({
  startedAt,
  endedAt: startedAt + dns + tcp + Math.max(ssl, 0),
  dns,
  connect: tcp + Math.max(ssl, 0),
  ssl,
  late: 0,
  failed: [],
});

function timingsOf(clock: ExchangeClock): Timings {
  const timings = { ...NO_TIMINGS };
  clock.write(timings);
  return timings;
}

/** A clock at 1000. Its moments are milliseconds after that. */
function clockAt(moments: Partial<Pick<ExchangeClock, 'sendAt' | 'sentAt' | 'firstByteAt' | 'firstOutAt' | 'endAt'>>) {
  const clock = new ExchangeClock(1000);
  for (const [name, at] of Object.entries(moments)) clock[name as keyof typeof moments] = 1000 + at;
  return clock;
}

/** What may happen to an exchange between two moments, the second of which is now. */
const STEPS: readonly ((clock: ExchangeClock, from: number, to: number) => void)[] = [
  (clock, from, to) => clock.held(from, to),
  (clock, from, to) => clock.heldBody(from, to),
  (clock, from, to) => clock.waited(from, to),
  (clock, from, to) => clock.failed(from, to),
  (clock, from) => clock.requestOut({ firstAt: from, lastAt: from }, false),
  (clock, from, to) => clock.requestOut({ firstAt: from, lastAt: to }, true),
  (clock, from) => clock.responded(from),
  (clock, from) => clock.responseOut(from),
];

describe('the phases of an exchange', () => {
  it('takes each moment once: what went out first, and the request when it was whole', () => {
    const clock = new ExchangeClock(10);
    clock.requestOut(undefined, false);
    clock.requestOut({ firstAt: -1, lastAt: -1 }, true);
    clock.responseOut(10.5);
    clock.requestOut({ firstAt: 11, lastAt: 11 }, false);
    clock.requestOut({ firstAt: 11, lastAt: 12 }, true);
    clock.responded(20);
    clock.requestOut({ firstAt: 11, lastAt: 21 }, true);
    clock.responseOut(-1);
    clock.responseOut(21);
    clock.responseOut(22);
    expect(clock).toMatchObject({ sendAt: 11, sentAt: 12, firstByteAt: 20, firstOutAt: 21 });
  });

  it('names the one that is running', () => {
    const clock = new ExchangeClock(10);
    const stages = [clock.stage];
    clock.requestOut({ firstAt: 11, lastAt: 11 }, false);
    stages.push(clock.stage);
    clock.requestOut({ firstAt: 11, lastAt: 12 }, true);
    stages.push(clock.stage);
    clock.responded(20);
    stages.push(clock.stage);
    clock.retry();
    stages.push(clock.stage);
    expect(stages).toEqual([STAGES.blocked, STAGES.sending, STAGES.waiting, STAGES.receiving, STAGES.blocked]);
  });

  it('never dates a response before its request, even if the loop polled last before the request was sent', () => {
    const clock = new ExchangeClock(10);
    clock.requestOut({ firstAt: 12, lastAt: 14 }, true);
    clock.responded(11);
    clock.responseOut(13);
    clock.lastByteAt = 13;
    clock.ended(12);
    expect(timingsOf(clock)).toMatchObject({ blocked: 2, send: 2, wait: 0, receive: 0, overheadResponse: 0 });
  });

  it('a response without bytes at its end ends when that was known', () => {
    const clock = clockAt({ sendAt: 1, sentAt: 1, firstByteAt: 10, firstOutAt: 11 });
    clock.lastByteAt = 1030;
    clock.ended(1012);
    expect(timingsOf(clock)).toMatchObject({ receive: 20 });
  });

  it('a request that ended while it was sent was sent until then', () => {
    expect(timingsOf(clockAt({ sendAt: 1, endAt: 30 }))).toMatchObject({ blocked: 1, send: 29, wait: -1 });
  });

  it('nothing of the previous attempt remains after a retry', () => {
    const clock = clockAt({ sendAt: 1, sentAt: 2 });
    const timings = { ...NO_TIMINGS };
    clock.write(timings);
    expect(timings).toMatchObject({ send: 1, overheadRequest: 1 });
    clock.retry();
    clock.write(timings);
    expect(timings).toMatchObject({ send: -1, wait: -1, overheadRequest: -1 });
  });

  it('a request that waits for a connection that was begun before it is blocked only behind that', () => {
    const clock = clockAt({ sendAt: 21, sentAt: 21, firstByteAt: 30, firstOutAt: 30, endAt: 30 });
    clock.opening = opening(960, 0, 40, 20);
    clock.waited(1000, 1020);
    expect(clock.startedAt).toBe(960);
    expect(timingsOf(clock)).toMatchObject({ blocked: 1, connect: 60, overheadRequest: 1 });
    expect(totalTime(timingsOf(clock))).toBe(70);
  });

  it('on a reused connection are sent, waited for and received, and the two ends are overhead', () => {
    const clock = clockAt({ sendAt: 2, sentAt: 3, firstByteAt: 53, firstOutAt: 54, endAt: 60 });
    expect(timingsOf(clock)).toEqual({
      ...NO_TIMINGS,
      blocked: 2,
      send: 1,
      wait: 50,
      receive: 7,
      overheadRequest: 2,
      overheadResponse: 1,
    });
    expect(clock.startedAt).toBe(1000);
    expect(overheadTime(timingsOf(clock))).toBe(3);
  });

  it('with a connection opened for it: connecting is neither blocked nor overhead', () => {
    const clock = clockAt({ sendAt: 42, sentAt: 42, firstByteAt: 50, firstOutAt: 50, endAt: 50 });
    clock.opening = opening(1001, 5, 10, 25);
    clock.waited(1001, 1041);
    expect(timingsOf(clock)).toMatchObject({ blocked: 2, dns: 5, connect: 35, ssl: 25, overheadRequest: 2 });
    expect(totalTime(timingsOf(clock))).toBe(50);
  });

  it('with a connection that was opened before it came: it begins as much earlier', () => {
    const clock = clockAt({ sendAt: 1, sentAt: 1, firstByteAt: 10, firstOutAt: 10, endAt: 12 });
    clock.opening = opening(900, 5, 10, 25);
    expect(clock.startedAt).toBe(960);
    expect(totalTime(timingsOf(clock))).toBe(1012 - 960);
    expect(timingsOf(clock)).toMatchObject({ blocked: 1, overheadRequest: 1 });
  });

  it('a host that is an address has no dns, a plain connection no ssl', () => {
    const clock = clockAt({ sendAt: 11, sentAt: 11, firstByteAt: 12, endAt: 12 });
    clock.opening = opening(1000, -1, 10, -1);
    expect(timingsOf(clock)).toMatchObject({ dns: -1, ssl: -1, connect: 10, blocked: 1 });
  });

  it('a response that begins before the request is all out ends its sending', () => {
    const clock = clockAt({ sendAt: 1, sentAt: 80, firstByteAt: 20, firstOutAt: 20, endAt: 100 });
    expect(timingsOf(clock)).toMatchObject({ send: 19, wait: 0, receive: 80 });
  });

  it('a failed attempt counts as waiting, and its measurements are dropped', () => {
    const clock = clockAt({ sendAt: 1, sentAt: 1 });
    clock.opening = opening(1000, 1, 1, -1);
    clock.retry();
    clock.sendAt = clock.headAt + 1;
    clock.endAt = clock.headAt + 1;
    expect(timingsOf(clock)).toMatchObject({ dns: -1, connect: -1, receive: -1, overheadResponse: -1 });
  });

  it('a request that never reached upstream was blocked all the time', () => {
    expect(timingsOf(clockAt({ endAt: 30 }))).toEqual({ ...NO_TIMINGS, blocked: 30 });
  });

  it('separates failed tries from blocked time, of which they are a part', () => {
    const clock = clockAt({ endAt: 530 });
    clock.failed(1010, 1530);
    expect(timingsOf(clock)).toEqual({ ...NO_TIMINGS, blocked: 530, failedTries: 520 });
    const opened = clockAt({ sendAt: 342, sentAt: 342, firstByteAt: 350, firstOutAt: 350, endAt: 350 });
    opened.opening = opening(1302, 5, 10, 25);
    opened.failed(1002, 1302);
    expect(timingsOf(opened)).toMatchObject({ blocked: 302, failedTries: 300, connect: 35 });
    expect(totalTime(timingsOf(opened))).toBe(350);
    // One that had begun before the request came counts from there.
    const early = clockAt({ endAt: 30 });
    early.failed(900, 1030);
    expect(timingsOf(early)).toMatchObject({ blocked: 30, failedTries: 30 });
  });

  it('a request that was never answered waited until its end', () => {
    expect(timingsOf(clockAt({ sendAt: 1, sentAt: 2, endAt: 30 }))).toMatchObject({ send: 1, wait: 28, receive: -1 });
  });

  it('always add up to the time from start to end, with no overhead outside of them', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 5, maxLength: 5 });
    const connecting = fc.option(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)));
    fc.assert(
      fc.property(steps, connecting, ([before = 0, send = 0, wait = 0, out = 0, rest = 0], costs) => {
        const clock = new ExchangeClock(5000);
        const sum = costs === null ? 0 : costs[0] + costs[1] + costs[2];
        if (costs) clock.opening = opening(5000, ...costs);
        if (costs) clock.waited(5000, 5000 + sum);
        clock.sendAt = 5000 + sum + before;
        clock.sentAt = clock.sendAt + send;
        clock.firstByteAt = clock.sentAt + wait;
        clock.firstOutAt = clock.firstByteAt + out;
        clock.endAt = clock.firstOutAt + rest;
        const timings = timingsOf(clock);
        expect(totalTime(timings)).toBe(clock.endAt - clock.startedAt);
        expect(overheadTime(timings)).toBe(before + out);
      }),
    );
  });

  it('a hold while a connection is opened counts once: the part in blocked is that after the opening', () => {
    const clock = clockAt({ sendAt: 101, sentAt: 101 });
    clock.opening = opening(960, 0, 70, -1);
    clock.held(1000, 1100);
    expect(timingsOf(clock)).toMatchObject({ connect: 70, blocked: 71, rules: 70, overheadRequest: 1 });
  });

  it('a hold of the body of a failed attempt is a part of that attempt', () => {
    const clock = clockAt({ sendAt: 1 });
    clock.heldBody(1001, 1081);
    clock.retry();
    clock.requestOut({ firstAt: 1090, lastAt: 1095 }, true);
    clock.heldBody(1091, 1094);
    clock.responded(1100);
    clock.ended(1101);
    expect(timingsOf(clock)).toMatchObject({ send: 5, rulesSend: 3 });
  });

  it('a failed attempt over a connection that was opened before does not include the hold before it', () => {
    const clock = new ExchangeClock(1000);
    clock.held(1000, 1100);
    clock.opening = opening(960, 0, 20, -1);
    clock.sendAt = 1101;
    clock.retry();
    clock.failed(1101, 1150);
    clock.requestOut({ firstAt: 1160, lastAt: 1160 }, true);
    expect(timingsOf(clock)).toMatchObject({ blocked: 160, rules: 100, failedTries: 50 });
  });

  it('the body is not held any longer for the phases once the response has begun', () => {
    const clock = clockAt({ sendAt: 1 });
    clock.responded(1020);
    clock.heldBody(1005, 1080);
    clock.requestOut({ firstAt: 1001, lastAt: 1081 }, true);
    clock.held(1021, 1080);
    clock.responseOut(1081);
    clock.ended(1081);
    expect(timingsOf(clock)).toMatchObject({ send: 19, rulesSend: 15, wait: 0, receive: 61, rulesResponse: 59 });
  });

  it('no part exceeds its phase, and none is negative, whatever happens in which order', () => {
    const events = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(50), fc.nat(80)), { maxLength: 14 });
    const before = fc.option(fc.tuple(fc.nat(60), fc.nat(60)));
    fc.assert(
      fc.property(events, before, (steps, opened) => {
        const clock = new ExchangeClock(5000);
        if (opened) clock.opening = opening(5000 - opened[0], 0, opened[1], -1);
        let now = 5000;
        for (const [step, passed, back] of steps) {
          now += passed;
          step(clock, now - Math.min(back, now - 5000), now);
        }
        clock.ended(now);
        const timings = timingsOf(clock);
        const { blocked, failedTries, rules, send, rulesSend, receive, rulesResponse } = timings;
        for (const phase of Object.values(timings)) expect(phase === -1 || phase >= 0).toBe(true);
        expect(Math.max(failedTries, 0) + Math.max(rules, 0)).toBeLessThanOrEqual(blocked + 1e-6);
        expect(rulesSend).toBeLessThanOrEqual(send);
        expect(rulesResponse).toBeLessThanOrEqual(receive);
        expect(timings.overheadRequest).toBeLessThanOrEqual(blocked - Math.max(rules, 0) + 1e-6);
      }),
    );
  });
});
