import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { ReverseStatus } from '../../shared/model/proxy/reverse.ts';
import type { HeldSummary } from '../../shared/model/rule/held-message.ts';
import type { ConsoleLevel } from '../../shared/model/rule/script.ts';
import { Engine } from '../engine/engine.ts';
import { Recorder } from '../engine/record/recorder.ts';
import { SessionWriterPort } from '../engine/record/session-writer-port.ts';
import { Tally } from '../engine/record/tally.ts';
import { runInShortSlices } from '../engine/short-slice.ts';
import { turn } from '../engine/turn.ts';
import { failure, roundtripError } from '../failures/errors.ts';
import { Feed } from '../feed/feed.ts';
import type { EngineCalls, EngineNotice, EngineStart, EngineStarted, EngineThreadData } from './engine-calls.ts';
import { PAC_HELPER, PacRunner } from './pac-runner.ts';
import { RunningReplays } from './replay/running-replays.ts';
import { ScriptRunner } from './script/script-runner.ts';
import { answerCalls } from './thread-call.ts';

/** How often connection counts are sent to the status bar, in milliseconds. */
const VITALS_INTERVAL = 1000;

interface Running {
  engine: Engine;
  recorder: Recorder;
  feed: Feed;
  vitals: NodeJS.Timeout;
}

const host = parentPort;
if (host === null) throw new Error('engine-thread runs as a worker thread');
const { writer, threadFolder, tally } = workerData as EngineThreadData;
const pac = PacRunner.in(threadFolder, (detail) => {
  notify({
    kind: 'failure',
    failure: failure('engine.helper-died', { what: PAC_HELPER, detail }),
  });
});
const replays = new RunningReplays();
const scripts = new ScriptRunner(threadFolder);
let running: Running | null = null;
let writerPort: SessionWriterPort | null = null;
/** The port of a second writer, if the first one died before this thread was notified that it had opened its file. */
let successor: MessagePort | null = null;

function notify(notice: EngineNotice): void {
  host?.postMessage({ kind: 'notice', notice });
}

function whileRunning(): Running {
  if (running === null) throw roundtripError('engine.stopped', {});
  return running;
}

function sayVitals(): void {
  if (running === null) return;
  const { client, upstream } = running.engine.connections();
  const { bytesNotKept } = running.recorder;
  const ruleHits = running.engine.ruleHits();
  const counts = { clientConnections: client, upstreamConnections: upstream, bytesNotKept };
  notify({ kind: 'vitals', vitals: { ...counts, ruleHits } });
}

function wrote(rule: string, level: ConsoleLevel, text: string): void {
  notify({ kind: 'console', line: { at: Date.now(), rule, level, text } });
}

/** What the engine reports to the host. */
const NOTICES = {
  onSighting: (sighting: Sighting) => notify({ kind: 'sighting', sighting }),
  onFailure: (about: Failure) => notify({ kind: 'failure', failure: about }),
  onReverse: (listeners: ReverseStatus[]) => notify({ kind: 'reverse', listeners }),
  onBreaks: (messages: HeldSummary[]) => notify({ kind: 'breaks', messages }),
};

async function start({ settings, rules, ...options }: EngineStart): Promise<EngineStarted> {
  const port = await SessionWriterPort.connect(writer, (slow) => notify({ kind: 'failure', failure: slow }));
  writerPort = port;
  port.onTrouble = (failure) => notify({ kind: 'recording', failure });
  port.onMoved = (path, failure, whole) => notify({ kind: 'moved', path, failure, whole });
  const recorder = new Recorder({
    ...{ writer: port, recording: settings.recording, slowDisk: settings.slowDisk },
    tally: new Tally(tally),
  });
  recorder.onLosing = () => notify({ kind: 'failure', failure: failure('session.rows-lost', {}) });
  recorder.onMessagesLost = (about) => notify({ kind: 'failure', failure: about });
  if (successor !== null) port.resume(successor);
  recorder.onRefused = (about) => notify({ kind: 'failure', failure: about });
  const feed = new Feed({ sessionId: recorder.sessionId, send: (batch) => notify({ kind: 'feed', batch }) });
  recorder.onTouched = (exchange) => feed.touched(exchange);
  recorder.onEnded = (exchange, row) => feed.ended(exchange, row);
  turn.busyPoll = settings.busyPoll;
  try {
    const callbacks = { scripts: { run: scripts.run, wrote }, runPac: pac.run };
    const engine = await Engine.start({ ...options, settings, observer: recorder, ...callbacks, ...NOTICES });
    engine.applyRules(rules);
    running = { engine, recorder, feed, vitals: setInterval(sayVitals, VITALS_INTERVAL) };
    // After the reply to this call: nothing waits for these.
    setImmediate(() => {
      void runInShortSlices();
      void engine.warmUp();
    });
    return engine.address;
  } catch (error) {
    await recorder.close();
    throw error;
  }
}

async function stop(graceMs: number): Promise<void> {
  const { engine, recorder, feed, vitals } = whileRunning();
  running = null;
  clearInterval(vitals);
  await engine.close({ graceMs });
  await pac.close();
  await scripts.close();
  feed.wanted = false;
  await recorder.close();
}

answerCalls<EngineCalls>(host, {
  start,
  apply: (settings) => {
    const { engine, recorder } = whileRunning();
    recorder.recording = settings.recording;
    recorder.slowDisk = settings.slowDisk;
    turn.busyPoll = settings.busyPoll;
    engine.applySettings(settings);
    return null;
  },
  rules: (rules) => {
    whileRunning().engine.applyRules(rules);
    return null;
  },
  certificates: (ca) => {
    whileRunning().engine.useCertificates(ca);
    return null;
  },
  proxyFacts: (facts) => {
    whileRunning().engine.applyProxyFacts(facts);
    return null;
  },
  testProxy: (test) => whileRunning().engine.testProxy(test),
  openProgramPort: ({ token, port }) => whileRunning().engine.openProgramPort(token, port),
  replay: ({ request, body }) => replays.begin(whileRunning().engine, request, body),
  replayEnd: ({ exchange }) => replays.end(exchange),
  resumed: () => {
    whileRunning().engine.resumed();
    return null;
  },
  writer: (next) => {
    // Also while the engine stops: there may be rows left to write.
    if (writerPort === null) {
      successor?.close();
      successor = next;
    } else writerPort.resume(next);
    return null;
  },
  feed: (wanted) => {
    whileRunning().feed.wanted = wanted;
    return null;
  },
  watchBreaks: (watched) => {
    whileRunning().engine.breaks.watched = watched;
    return null;
  },
  listHeld: () => whileRunning().engine.breaks.list(),
  getHeld: (id) => whileRunning().engine.breaks.get(id),
  writeHeld: ({ id, offset, part }) => {
    whileRunning().engine.breaks.write(id, offset, Buffer.from(part));
    return null;
  },
  releaseHeld: ({ id, release }) => {
    whileRunning().engine.breaks.release(id, release);
    return null;
  },
  releaseAllHeld: () => {
    whileRunning().engine.breaks.releaseAll();
    return null;
  },
  flush: async () => {
    const { recorder } = whileRunning();
    await recorder.flush();
    return { empty: recorder.emptySession };
  },
  clear: async () => {
    const { recorder, feed } = whileRunning();
    const cleared = recorder.clear();
    feed.reset(recorder.sessionId);
    await cleared;
    return null;
  },
  stop: async ({ graceMs }) => {
    await stop(graceMs);
    return null;
  },
});
