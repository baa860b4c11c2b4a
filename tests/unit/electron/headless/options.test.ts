import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BadArguments } from '../../../../electron/headless/bad-arguments.ts';
import { parseCommandLine } from '../../../../electron/headless/options.ts';

const parse = (line: string) => parseCommandLine(line.split(' '));

describe('command line', () => {
  it('has sane defaults', () => {
    expect(parse('serve --data-dir /d')).toEqual({
      command: 'serve',
      options: {
        ...{
          port: 8866,
          host: '127.0.0.1',
          uiPort: 0,
          dataFolder: '/d',
          session: null,
          har: null,
          rules: null,
          budget: null,
          json: false,
        },
        overrides: {},
      },
    });
  });

  it('takes every option', () => {
    const line =
      'record --port 0 --host ::1 --ui-port 9 --data-dir /d --session s.roundtrip --har o.har --rules r.json ' +
      '--budget b.json --no-intercept ' +
      '--passthrough a.test --passthrough *.b.test --no-http2 --no-keep-alive --no-retry --retry-idempotent ' +
      '--retry-refused --nagle ' +
      '--busy-poll --devices-reach-local ' +
      '--upstream-proxy http://u:p@proxy.test:1 --upstream-ca a.pem --upstream-ca /b.pem --insecure-upstream --json ' +
      '-- curl --json https://a.test';
    expect(parse(line)).toEqual({
      command: 'record',
      run: ['curl', '--json', 'https://a.test'],
      options: {
        ...{ port: 0, host: '::1', uiPort: 9, dataFolder: '/d', json: true },
        ...{ session: path.resolve('s.roundtrip'), har: path.resolve('o.har'), rules: path.resolve('r.json') },
        budget: path.resolve('b.json'),
        overrides: {
          ...{ recording: true, intercept: false, passthroughHosts: ['a.test', '*.b.test'] },
          ...{ http2Client: false, http2Upstream: false, keepAlive: false, retry: false, nagle: true },
          ...{ retryIdempotent: true, retryRefused: true, busyPoll: true, devicesReachLocal: true },
          upstreamProxy: { enabled: true, url: 'http://u:p@proxy.test:1' },
          proxySource: 'manual',
          ...{ upstreamCaFiles: [path.resolve('a.pem'), '/b.pem'], insecureUpstream: true },
        },
      },
    });
  });

  it('parses the commands for a running Roundtrip', () => {
    expect(parse('tail --filter host:api --pid 7 --data-dir /d --port 0')).toMatchObject({
      ...{ command: 'tail', choice: { filter: 'host:api', pid: 7 }, options: { port: 0 } },
    });
    expect(parse('stop --json --data-dir /d')).toEqual({ command: 'stop', pid: null, dataFolder: '/d', json: true });
    for (const line of ['tail --filter status:', 'status --pid abc', 'stop extra', 'stop --pid 0'])
      expect(() => parse(line)).toThrow(BadArguments);
  });

  it('takes the stores of ca', () => {
    expect(parse('ca install --store nss --store firefox --data-dir /d')).toEqual({
      ...{ command: 'ca', action: 'install', stores: ['nss', 'firefox'], dataFolder: '/d', json: false },
      ...{ form: 'pem', out: null, files: [] },
    });
    expect(parse('ca status --store all --json --data-dir /d')).toMatchObject({ stores: 'all', json: true });
    expect(parse('ca export --data-dir /d')).toMatchObject({ action: 'export', stores: null });
  });

  it.each(['--help', '-h', 'help', 'serve --help', 'record -h', 'ca --help'])('helps: %s', (line) => {
    expect(parse(line)).toEqual({ command: 'help' });
  });

  it('prints its version', () => {
    expect(parse('--version')).toEqual({ command: 'version' });
  });

  it('takes limits', () => {
    const options = { overrides: { limits: { headBytes: 8192, http2Pings: 50 } } };
    expect(parse('serve --data-dir /d --limit headBytes=8192 --limit http2Pings=50')).toMatchObject({ options });
  });

  it.each([
    ['frobnicate', '"frobnicate" is not a command'],
    ['serve --limit headBytes', 'write it as NAME=NUMBER'],
    ['serve --limit headBytes=-1', 'write it as NAME=NUMBER'],
    ['serve --limit headBytes=1', 'give a whole number from 8192 to 16777216 bytes'],
    ['serve --limit heads=1', 'there is no limit "heads"'],
    ['serve --frobnicate', "Unknown option '--frobnicate'"],
    ['serve --port x', '--port "x"'],
    ['serve --port 65536', '--port "65536"'],
    ['serve --port -1', '--port'],
    ['serve --port', '--port'],
    ['serve --ui-port 1.5', '--ui-port "1.5"'],
    ['serve surplus', 'unexpected argument "surplus"'],
    ['serve --json=1', '--json'],
    ['serve --store nss', "Unknown option '--store'"],
    ['serve -- curl', 'serve runs no command'],
    ['record curl', 'put -- before'],
    ['record --', '-- is not followed'],
    ['serve --upstream-proxy ftp://a', 'ftp:// is not supported'],
    ['serve --host=', '--host needs a value'],
    ['serve --har=', '--har needs a value'],
    ['ca', 'ca needs an action'],
    ['ca import', 'ca import needs one file'],
    ['ca export --format doc', '--format "doc" is not a format'],
    ['ca frobnicate', '"frobnicate" is not an action'],
    ['ca status surplus', 'unexpected argument "surplus"'],
    ['ca install --store cupboard', '"cupboard" is not a store'],
    ['ca status --port 1', "Unknown option '--port'"],
  ])('refuses %s, and says in one line why', (line, part) => {
    expect(() => parse(line)).toThrow(BadArguments);
    expect(() => parse(line)).toThrow(part);
    expect(() => parse(line)).not.toThrow(/\n/);
  });

  it('refuses an empty command line', () => {
    expect(() => parseCommandLine([])).toThrow('a command is missing');
  });
});
