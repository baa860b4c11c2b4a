import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { fakeTimeLibrary } from '../fake-time.ts';
import type { FaultCell, FaultScene } from '../fault-scene.ts';
import { rawOrigin } from '../raw-origin.ts';

const WHOLE = { kept: 'session, HAR', printed: '', exit: 0 } as const;

/** A program ends by these unless it handles them. The next run reads the session from its log. */
const DEADLY = { SIGKILL: 137, SIGQUIT: 131, SIGUSR2: 140 } as const;
type Deadly = keyof typeof DEADLY;
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Ending = keyof typeof ENDING;
const IGNORED = ['SIGUSR1', 'SIGPIPE'] as const;

/** Its start waits for a PAC file that never comes; resolves once it asked for it. */
async function startHeldUp(scene: FaultScene): Promise<void> {
  const pac = await rawOrigin(() => undefined);
  scene.options = ['--upstream-pac', `http://127.0.0.1:${pac.port}/proxy.pac`];
  scene.start();
  await pac.receives('GET /proxy.pac');
}

/**
 * A window's status, which the process makes once a second and reads a file for. `next`: a later one than those so far.
 */
async function statusOf(scene: FaultScene): Promise<{ next: () => Promise<void> }> {
  const { host, hash } = new URL((await scene.cli.ready()).ui);
  const socket = new WebSocket(`ws://${host}/inspector?token=${hash.replace('#token=', '')}`);
  await once(socket, 'open');
  let seen = 0;
  socket.on('message', (data) => {
    if (String(data).includes('"engine.status"')) seen += 1;
  });
  onTestFinished(() => socket.terminate());
  return {
    next: async () => {
      const before = seen;
      await expect.poll(() => seen).toBeGreaterThan(before + 1);
    },
  };
}

/** Silent clients, more than the line about them needs. None waits to be accepted when this resolves. */
async function crowd(scene: FaultScene): Promise<net.Socket[]> {
  const { hostname, port } = new URL((await scene.cli.ready()).proxy);
  const connect = () => net.connect(Number(port), hostname).on('error', () => undefined);
  const clients = Array.from({ length: 200 }, connect);
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  await Promise.all(clients.map((client) => once(client, 'connect')));
  await scene.says('Nearly all');
  // They are accepted in their order, and this one is closed at once.
  await once(connect().resume(), 'close');
  return clients;
}

const STARTING: readonly FaultCell[] = [
  ...(Object.keys(DEADLY) as Deadly[]).map(
    (signal): FaultCell => ({
      state: 'starting',
      fault: signal,
      ...{ kept: 'nothing', printed: '', exit: DEADLY[signal] },
      play: async (scene) => {
        await startHeldUp(scene);
        scene.signal(signal);
      },
    }),
  ),
  ...(Object.keys(ENDING) as Ending[]).map(
    (signal): FaultCell => ({
      state: 'starting',
      fault: `${signal}, twice`,
      ...{ kept: 'nothing', printed: 'ended by the second signal.', exit: ENDING[signal] },
      play: async (scene) => {
        await startHeldUp(scene);
        await scene.signalTwice(signal);
      },
    }),
  ),
  {
    state: 'starting',
    fault: 'too few open files allowed (EMFILE)',
    kept: 'nothing',
    printed: 'A Roundtrip thread could not be started: the system allows Roundtrip too few open files (ulimit -n).',
    exit: 1,
    play: (scene) => {
      scene.allowDescriptors(30);
      scene.start();
    },
  },
  {
    state: 'starting',
    fault: 'standard output is on a full disk',
    ...WHOLE,
    kept: 'HAR',
    printed: 'standard output could not be written: ENOSPC: no space left on device, write',
    exit: 1,
    play: (scene) => {
      scene.stdout = '/dev/full';
      scene.command = ['true'];
      scene.start();
    },
  },
  {
    ...WHOLE,
    state: 'starting',
    fault: 'the reader of standard output goes away',
    kept: 'HAR',
    play: (scene) => {
      scene.command = ['true'];
      scene.start().child.stdout?.destroy();
    },
  },
];

const RECORDING: readonly FaultCell[] = [
  ...(['SIGQUIT', 'SIGUSR2'] as const).map(
    (signal): FaultCell => ({
      state: 'recording',
      fault: signal,
      ...{ kept: 'session', printed: '', exit: DEADLY[signal] },
      play: async (scene) => {
        await scene.record();
        scene.signal(signal);
      },
    }),
  ),
  {
    ...WHOLE,
    state: 'recording',
    fault: 'SIGPIPE',
    play: async (scene) => {
      await scene.record();
      scene.signal('SIGPIPE');
      await scene.request();
      scene.signal('SIGINT');
    },
  },
  {
    ...WHOLE,
    state: 'recording',
    fault: 'the clock is set two hours ahead',
    needsFakeTime: true,
    play: async (scene) => {
      const clock = path.join(scene.folder, 'clock');
      fs.writeFileSync(clock, '+0');
      scene.env = {
        ...{ LD_PRELOAD: fakeTimeLibrary() ?? '', FAKETIME_TIMESTAMP_FILE: clock },
        ...{ FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      };
      await scene.record();
      fs.writeFileSync(`${clock}.next`, '+7200');
      fs.renameSync(`${clock}.next`, clock);
      await scene.request();
      scene.signal('SIGINT');
    },
  },
  {
    ...WHOLE,
    state: 'recording',
    fault: 'clients take all descriptors (EMFILE), and go',
    needsPrlimit: true,
    printed:
      'Nearly all of the 200 files and connections that the system allows Roundtrip are open: new client ' +
      'connections are closed until others end. Raise the limit (ulimit -n).',
    play: async (scene) => {
      scene.allowDescriptors(200);
      await scene.record();
      const status = await statusOf(scene);
      const clients = await crowd(scene);
      // With not one left; the limit of a running process can be lowered under what it has open.
      scene.limitDescriptors(20);
      await status.next();
      scene.limitDescriptors(200);
      for (const client of clients) client.destroy();
      await expect.poll(() => scene.openDescriptors()).toBeLessThan(100);
      await scene.request();
      scene.signal('SIGINT');
    },
  },
];

const FINISHING: readonly FaultCell[] = [
  ...(Object.keys(DEADLY) as Deadly[]).map(
    (signal): FaultCell => ({
      state: 'finishing',
      fault: signal,
      ...{ kept: 'session', printed: '', exit: DEADLY[signal] },
      play: async (scene) => {
        await scene.record();
        await scene.whileFinishing(() => scene.signal(signal));
      },
    }),
  ),
  ...(Object.keys(ENDING) as Ending[]).map(
    (signal): FaultCell => ({
      state: 'finishing',
      fault: `${signal}, which is the second signal`,
      kept: 'session',
      printed: 'ended by the second signal. The recording is kept in {session}.',
      exit: ENDING[signal],
      play: async (scene) => {
        await scene.record();
        await scene.whileFinishing(() => scene.signal(signal), signal === 'SIGINT' ? 'SIGTERM' : 'SIGINT');
      },
    }),
  ),
  ...IGNORED.map(
    (signal): FaultCell => ({
      ...WHOLE,
      state: 'finishing',
      fault: signal,
      play: async (scene) => {
        await scene.record();
        await scene.whileFinishing(() => scene.signal(signal));
      },
    }),
  ),
  {
    state: 'finishing',
    fault: 'no more files can be opened (EMFILE)',
    needsPrlimit: true,
    kept: 'session',
    printed:
      'The HAR {har} could not be written: this process has too many files open. The recording is kept in {session}.',
    exit: 1,
    play: async (scene) => {
      await scene.record();
      await scene.whileFinishing(() => scene.limitDescriptors(20));
    },
  },
  {
    ...WHOLE,
    state: 'finishing',
    fault: 'the reader of standard output goes away',
    play: async (scene) => {
      await scene.record();
      await scene.whileFinishing(() => scene.cli.child.stdout?.destroy());
    },
  },
];

/** External events: signals, descriptors, the clock, its output. */
export const PROCESS: readonly FaultCell[] = [...STARTING, ...RECORDING, ...FINISHING];
