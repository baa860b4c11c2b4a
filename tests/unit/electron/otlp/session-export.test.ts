import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Recorder } from '../../../../electron/engine/record/recorder.ts';
import { Collector } from '../../../../electron/otlp/collector.ts';
import { ExportAllowance } from '../../../../electron/otlp/export-allowance.ts';
import { SessionExport, type SessionExportOptions } from '../../../../electron/otlp/session-export.ts';
import { SessionReader } from '../../../../electron/session/read/session-reader.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { spansIn } from '../../../support/otlp-request.ts';
import { record, startRecorder } from '../../../support/recording.ts';
import { ACCEPT, type Responder, scriptedCollector } from '../../../support/scripted-collector.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const never = new AbortController().signal;

interface Exporting {
  sending: SessionExport;
  /** Exchanges in each request that the collector got. */
  sent: () => number[];
}

/** Exports the file that `fill` wrote. */
async function exporting(
  fill: (recorder: Recorder) => void,
  { respond = ACCEPT, ...options }: Partial<SessionExportOptions> & { respond?: Responder } = {},
): Promise<Exporting & { recorder: Recorder }> {
  const file = path.join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(file);
  fill(recorder);
  await recorder.flush();
  const reader = new SessionReader(file);
  onTestFinished(async () => {
    reader.close();
    await recorder.close();
  });
  const { seen, url } = await scriptedCollector(respond);
  const collector = new Collector(url, {});
  const sending = new SessionExport(reader, { collector, version: '1', since: null, unsampled: false, ...options });
  return {
    sending,
    recorder,
    sent: () => seen.map(({ body }) => spansIn(body).filter(({ kind }) => kind === 3).length),
  };
}

function recordSome(count: number): (recorder: Recorder) => void {
  return (recorder) => {
    for (let id = 1; id <= count; id += 1) record(recorder, exampleExchange({ id }));
  };
}

describe('the export of a session', () => {
  it('leaves the rest in the file once its processor time is used up', async () => {
    const { sending, sent } = await exporting(recordSome(1100));
    await sending.sendAll(never, 0);
    expect(sent()).toEqual([500]);
    await sending.sendAll(never);
    expect(sent()).toEqual([500, 500, 100]);
    expect(sending.counts).toEqual({ exported: 1100, dropped: 0 });
  });

  it('drops the oldest of too many that wait, and counts them', async () => {
    const { sending, sent } = await exporting(recordSome(1100), { mostBehind: 300 });
    await sending.sendAll(never, 0);
    expect(sent()).toEqual([300]);
    expect(sending.counts).toEqual({ exported: 300, dropped: 800 });
  });

  it('sends those that were open in one request when they have ended', async () => {
    const open = [3, 40, 900].map((id) => exampleExchange({ id, state: 'open' }));
    const { sending, sent, recorder } = await exporting((to) => {
      for (let id = 1; id <= 1000; id += 1) {
        const isOpen = open.find((each) => each.id === id);
        if (isOpen) to.changed(isOpen);
        else record(to, exampleExchange({ id }));
      }
    });
    await sending.sendAll(never);
    expect(sent()).toEqual([498, 499]);
    await sending.sendAll(never);
    expect(sent()).toEqual([498, 499]);
    for (const exchange of open) record(recorder, Object.assign(exchange, { state: 'complete' }));
    await recorder.flush();
    await sending.sendAll(never);
    expect(sent()).toEqual([498, 499, 3]);
    expect(sending.counts).toEqual({ exported: 1000, dropped: 0 });
  });

  it('counts what it can no longer send', async () => {
    const ending = new AbortController();
    const { sending } = await exporting(recordSome(1100), { respond: () => ending.abort() });
    await sending.sendAll(ending.signal);
    expect(sending.counts).toEqual({ exported: 0, dropped: 1100 });
  });
});

describe('the allowance of processor time', () => {
  it('is small while traffic is heavy, and by the number of cores', () => {
    const allowance = new ExportAllowance(2, 1000);
    expect(allowance.next(100, 1000)).toBe(1000);
    expect(allowance.next(1100, 2000)).toBe(1000);
    expect(allowance.next(2101, 3000)).toBe(30);
    expect(allowance.next(2101, 4000)).toBe(1000);
    const large = new ExportAllowance(16, 1000);
    expect(large.next(50_000, 1000)).toBe(240);
  });
});
