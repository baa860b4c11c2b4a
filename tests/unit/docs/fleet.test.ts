import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = path.resolve('docs/fleet');

function read(name: string): unknown {
  return parse(fs.readFileSync(path.join(FOLDER, name), 'utf8'), { strict: true, uniqueKeys: true });
}

/** The part of the Compose specification that the example uses; unknown keys are refused. */
const ServiceSchema = v.strictObject({
  image: v.pipe(v.string(), v.regex(/^[\w./-]+:v?\d+\.\d+\.\d+$/, 'is not pinned')),
  command: v.optional(v.array(v.string())),
  volumes: v.optional(v.array(v.string())),
  ports: v.optional(v.array(v.pipe(v.string(), v.regex(/^127\.0\.0\.1:\d+:\d+$/, 'is open to the network')))),
  depends_on: v.optional(v.array(v.string())),
  restart: v.optional(v.picklist(['no', 'always', 'on-failure', 'unless-stopped'])),
});
const ComposeSchema = v.strictObject({
  services: v.record(v.string(), ServiceSchema),
  volumes: v.record(v.string(), v.strictObject({})),
});

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
});
