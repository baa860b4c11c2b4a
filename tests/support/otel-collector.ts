import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
const BINARY = path.join(cache, 'roundtrip/otelcol-0.130.0');

/** Whether this machine has a real OpenTelemetry Collector; .ci/run builds it where it can. */
export const HAS_COLLECTOR = fs.existsSync(BINARY);

/** A span as the collector's debug exporter prints it. */
export interface PrintedSpan {
  traceId: string;
  parentId: string;
  id: string;
  name: string;
  kind: string;
  status: string;
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string>;
}

/** `2026-11-23 19:00:00.123456789 +0000 UTC`, to milliseconds with decimals. */
function timeOf(text: string): number {
  const [, whole = '', fraction = ''] = /^(\d+-\d+-\d+ \d+:\d+:\d+)(?:\.(\d+))? \+0000/.exec(text) ?? [];
  return Date.parse(`${whole.replace(' ', 'T')}Z`) + Number(`0.${fraction || '0'}`) * 1000;
}

function spanOf(block: string): PrintedSpan {
  const field = (name: string) => new RegExp(`^ +${name} +: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
  const attributes = [...block.matchAll(/^ +-> ([^:]+): \w+\((.*)\)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return {
    traceId: field('Trace ID'),
    parentId: field('Parent ID'),
    id: field('ID'),
    name: field('Name'),
    kind: field('Kind'),
    status: field('Status code'),
    startedAt: timeOf(field('Start time')),
    endedAt: timeOf(field('End time')),
    attributes: Object.fromEntries(attributes),
  };
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A real collector, which prints what it receives. Ends with the test. */
export class OtelCollector {
  readonly url: string;
  #printed = '';

  static async start(port?: number): Promise<OtelCollector> {
    const at = port ?? (await freePort());
    const file = path.join(temporaryFolder(), 'collector.yaml');
    fs.writeFileSync(
      file,
      `receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:${at}" } } } }
exporters: { debug: { verbosity: detailed, sampling_initial: 100000 } }
service:
  telemetry: { metrics: { level: none } }
  pipelines:
    traces: { receivers: [otlp], exporters: [debug] }
    metrics: { receivers: [otlp], exporters: [debug] }
`,
    );
    const collector = new OtelCollector(file, at);
    await untilListening(at);
    return collector;
  }

  private constructor(config: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    const child = spawn(BINARY, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  get printed(): string {
    return this.#printed;
  }

  spans(): PrintedSpan[] {
    return this.#printed
      .split(/^Span #\d+$/m)
      .slice(1)
      .map((block) => spanOf(block));
  }
}
