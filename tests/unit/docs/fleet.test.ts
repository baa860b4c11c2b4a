import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../../electron/otlp/metrics.ts';
import { summaryNow } from '../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { histogramsIn } from '../../support/otlp-request.ts';

const FOLDER = path.resolve('docs/fleet');

function read(name: string): unknown {
  return parse(fs.readFileSync(path.join(FOLDER, name), 'utf8'), { strict: true, uniqueKeys: true });
}

/** The part of the Compose specification that the example uses; unknown keys are refused. */
const ServiceSchema = v.strictObject({
  image: v.pipe(v.string(), v.regex(/^[\w./-]+:v?\d+\.\d+\.\d+$/, 'is not pinned')),
  command: v.optional(v.array(v.string())),
  user: v.optional(v.literal('root')),
  volumes: v.optional(v.array(v.string())),
  ports: v.optional(v.array(v.pipe(v.string(), v.regex(/^127\.0\.0\.1:\d+:\d+$/, 'is open to the network')))),
  depends_on: v.optional(v.array(v.string())),
  restart: v.optional(v.picklist(['no', 'always', 'on-failure', 'unless-stopped'])),
});
const ComposeSchema = v.strictObject({
  services: v.record(v.string(), ServiceSchema),
  volumes: v.record(v.string(), v.strictObject({})),
});

/** Of a dashboard: what our queries need. */
const DashboardSchema = v.object({
  uid: v.string(),
  panels: v.array(
    v.object({
      title: v.string(),
      datasource: v.object({ uid: v.string() }),
      targets: v.array(v.object({ expr: v.string(), legendFormat: v.string() })),
    }),
  ),
});

/** What Prometheus calls our histograms and their attributes: `.` is `_`, and the unit and the part follow the name. */
function prometheusNames(): { metrics: string[]; labels: string[] } {
  const failed = summaryNow(exampleExchange({ response: { status: 500 } }));
  const metrics = new Metrics({ session: 'a', version: '1' }, 0);
  metrics.add(failed);
  const histograms = histogramsIn(metrics.snapshot(1) ?? new Uint8Array());
  const plain = (name: string) => name.replaceAll('.', '_');
  return {
    metrics: Object.keys(histograms).flatMap((name) =>
      ['bucket', 'count'].map((part) => `${plain(name)}_seconds_${part}`),
    ),
    labels: Object.values(histograms).flatMap(([point]) => Object.keys(point?.attributes ?? {}).map(plain)),
  };
}

const Names = v.array(v.string());
const Parts = v.record(v.string(), v.unknown());
const CollectorSchema = v.strictObject({
  receivers: Parts,
  processors: Parts,
  exporters: Parts,
  service: v.strictObject({
    pipelines: v.record(v.string(), v.strictObject({ receivers: Names, processors: Names, exporters: Names })),
  }),
});

const BadgerSchema = v.strictObject({
  directories: v.strictObject({ keys: v.string(), values: v.string() }),
  ephemeral: v.literal(false),
  ttl: v.strictObject({ spans: v.string() }),
});
const Pipelines = v.record(v.string(), v.object({ receivers: Names, processors: Names, exporters: Names }));
const JaegerSchema = v.strictObject({
  service: v.strictObject({ extensions: Names, pipelines: Pipelines }),
  extensions: v.strictObject({
    jaeger_storage: v.strictObject({ backends: v.record(v.string(), v.strictObject({ badger: BadgerSchema })) }),
    jaeger_query: v.strictObject({ storage: v.strictObject({ traces: v.string() }) }),
  }),
  receivers: Parts,
  processors: Parts,
  exporters: v.strictObject({ jaeger_storage_exporter: v.strictObject({ trace_storage: v.string() }) }),
});

describe('the example of docs/fleet', () => {
  const { services, volumes } = v.parse(ComposeSchema, read('compose.yaml'));

  it('mounts files that exist, and volumes that are declared', () => {
    for (const mount of Object.values(services).flatMap((service) => service.volumes ?? [])) {
      const [source = ''] = mount.split(':');
      const isThere = source.startsWith('./')
        ? fs.existsSync(path.join(FOLDER, source))
        : Object.hasOwn(volumes, source);
      expect({ mount, isThere }).toEqual({ mount, isThere: true });
    }
  });

  it('depends only on services that it defines', () => {
    for (const { depends_on = [] } of Object.values(services))
      for (const name of depends_on) expect(Object.keys(services)).toContain(name);
  });

  it('has a collector whose pipelines name its parts', () => {
    const { service, ...parts } = v.parse(CollectorSchema, read('collector.yaml'));
    for (const pipeline of Object.values(service.pipelines))
      for (const kind of ['receivers', 'processors', 'exporters'] as const)
        for (const name of pipeline[kind]) expect(Object.keys(parts[kind])).toContain(name);
  });

  it('scrapes and shows what it runs', () => {
    const text = JSON.stringify([
      read('prometheus.yaml'),
      read('grafana/datasources/sources.yaml'),
      read('collector.yaml'),
    ]);
    const named = [...text.matchAll(/(?:http:\/\/|")([a-z]+):\d{4,5}/g)].map(([, host = '']) => host);
    expect(named.length).toBeGreaterThanOrEqual(4);
    for (const host of named) expect(Object.keys(services)).toContain(host);
  });

  it('keeps traces where a volume is', () => {
    const { extensions, exporters, service, ...parts } = v.parse(JaegerSchema, read('jaeger.yaml'));
    expect(service.extensions.sort()).toEqual(Object.keys(extensions).sort());
    for (const pipeline of Object.values(service.pipelines))
      for (const kind of ['receivers', 'processors', 'exporters'] as const)
        for (const name of pipeline[kind]) expect(Object.keys({ ...parts, exporters }[kind])).toContain(name);
    const { backends } = extensions.jaeger_storage;
    const stores = [extensions.jaeger_query.storage.traces, exporters.jaeger_storage_exporter.trace_storage];
    for (const store of stores) expect(Object.keys(backends)).toContain(store);
    const places = services.jaeger?.volumes?.map((mount) => mount.split(':')[1]) ?? [];
    for (const { badger } of Object.values(backends))
      for (const folder of Object.values(badger.directories)) expect(places).toContain(path.dirname(folder));
  });

  it('has a dashboard that asks for metrics and attributes which Roundtrip sends', () => {
    const { uid, panels } = v.parse(DashboardSchema, read('grafana/dashboards/roundtrip.json'));
    expect({ uid, panels: panels.length }).toEqual({ uid: 'roundtrip', panels: 6 });
    const sources = JSON.stringify(read('grafana/datasources/sources.yaml'));
    const { metrics, labels } = prometheusNames();
    expect(metrics).toContain('roundtrip_overhead_seconds_bucket');
    for (const { datasource, targets } of panels) {
      expect(sources).toContain(`"uid":"${datasource.uid}"`);
      for (const { expr, legendFormat } of targets) {
        const [metric = ''] = /(?:http|roundtrip)_\w+/.exec(expr) ?? [];
        expect(metrics).toContain(metric);
        const grouped = [...expr.matchAll(/by \(([^)]*)\)|\{(\w+)!?=/g)].flatMap(
          ([, by, only]) => by?.split(', ') ?? [only],
        );
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
        for (const name of [...grouped, ...shown]) expect(['le', 'job', 'instance', ...labels]).toContain(name);
      }
    }
  });
});
