import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type GivenLimits, limitProblem } from '../../shared/model/limits.ts';
import { NETWORK_PROFILE_NAMES } from '../../shared/model/rule/throttle.ts';
import { type HostOverride, NO_OVERRIDE, type Settings } from '../../shared/model/settings.ts';
import { defaultDataFolder } from '../commands/data-folder.ts';
import { DEFAULT_PORT } from '../commands/default-port.ts';
import { parseProxyAddress } from '../commands/services/proxy-address.ts';
import { type AttachedCommand, attachedCommand, type TailChoice, tailChoice } from './attached/attached-options.ts';
import { BadArguments } from './bad-arguments.ts';
import { type CaCommand, caCommand } from './ca/ca-options.ts';
import { type CompareCommand, compareCommand } from './compare/compare-options.ts';
import { EXPORT_OPTIONS, type ExportCommand, exportCommand } from './export/export-options.ts';
import {
  WAREHOUSE_FORMATS,
  WAREHOUSE_OPTIONS,
  type WarehouseCommand,
  warehouseCommand,
} from './export/warehouse/warehouse-options.ts';
import { type ImportCommand, importCommand } from './import/import-options.ts';
import { type CheckCommand, checkCommand } from './insight/check-options.ts';
import { type FindingsCommand, findingsCommand } from './insight/findings-options.ts';
import { LAB_ARGUMENTS, type LabCommand, labCommand } from './lab/lab-options.ts';
import { type McpCommand, mcpCommand } from './mcp/mcp-options.ts';
import { otlpSettings } from './otlp-option.ts';
import { reverseListener } from './reverse-option.ts';
import { type RulesCommand, rulesCommand } from './rules/rules-options.ts';
import { type SendChoice, sendChoice } from './send/send-options.ts';
import { SESSIONS_OPTIONS, type SessionsCommand, sessionsCommand } from './sessions/sessions-options.ts';

export interface ProxyOptions {
  port: number;
  host: string;
  uiPort: number;
  dataFolder: string;
  /** Null: a new file in the data folder. */
  session: string | null;
  har: string | null;
  /** Null: `rules.json` in the data folder, if there is one. */
  rules: string | null;
  /** Of `record`: the recording is checked against it (docs/ci.md). */
  budget: string | null;
  /** Settings for this run. */
  overrides: Partial<Settings>;
  json: boolean;
}

export type CommandLine =
  | { command: 'help' | 'version' }
  | { command: 'serve'; options: ProxyOptions }
  | { command: 'record'; options: ProxyOptions; run: readonly string[] }
  | { command: 'tail'; options: ProxyOptions; choice: TailChoice }
  | AttachedCommand
  | McpCommand
  | CaCommand
  | LabCommand
  | CompareCommand
  | CheckCommand
  | FindingsCommand
  | RulesCommand
  | ImportCommand
  | ExportCommand
  | WarehouseCommand
  | SessionsCommand
  | { command: 'open'; source: string; options: ProxyOptions }
  | { command: 'send'; choice: SendChoice; options: ProxyOptions };

const COMMON = {
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;
const PROXY = {
  ...COMMON,
  port: { type: 'string' },
  host: { type: 'string' },
  'ui-port': { type: 'string' },
  session: { type: 'string' },
  har: { type: 'string' },
  rules: { type: 'string' },
  budget: { type: 'string' },
  'no-intercept': { type: 'boolean' },
  passthrough: { type: 'string', multiple: true },
  'no-http2': { type: 'boolean' },
  'no-keep-alive': { type: 'boolean' },
  'no-retry': { type: 'boolean' },
  'retry-idempotent': { type: 'boolean' },
  nagle: { type: 'boolean' },
  'retry-refused': { type: 'boolean' },
  'busy-poll': { type: 'boolean' },
  'devices-reach-local': { type: 'boolean' },
  'upstream-proxy': { type: 'string' },
  'upstream-pac': { type: 'string' },
  'upstream-system': { type: 'boolean' },
  'upstream-wpad': { type: 'boolean' },
  'upstream-bypass': { type: 'string', multiple: true },
  'upstream-proxy-ca': { type: 'string', multiple: true },
  'upstream-ca': { type: 'string', multiple: true },
  'client-certificate': { type: 'string', multiple: true },
  'insecure-upstream': { type: 'boolean' },
  throttle: { type: 'string' },
  reverse: { type: 'string', multiple: true },
  'reverse-keep-host': { type: 'boolean' },
  'agents-may-write': { type: 'boolean' },
  'agents-send-to': { type: 'string', multiple: true },
  otlp: { type: 'string' },
  'otlp-unsampled': { type: 'boolean' },
  limit: { type: 'string', multiple: true },
} as const;
const ATTACHED = { ...COMMON, pid: { type: 'string' } } as const;
const TAIL = { ...PROXY, ...ATTACHED, filter: { type: 'string' } } as const;
const SEND = {
  ...PROXY,
  filter: { type: 'string' },
  times: { type: 'string' },
  parallel: { type: 'string' },
} as const;
const RULES = { ...COMMON, out: { type: 'string' } } as const;
const CA = {
  ...COMMON,
  store: { type: 'string', multiple: true },
  format: { type: 'string' },
  out: { type: 'string' },
} as const;

const COMPARE = {
  ...COMMON,
  ignore: { type: 'string', multiple: true },
  'ignore-change': { type: 'string', multiple: true },
} as const;

const LAB = { ...COMMON, ...LAB_ARGUMENTS } as const;

/** Node's messages have several lines and explain `--`; only the first sentence, which names the argument, is kept. */
function parse<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadArguments(message.replace(/\.? To specify .*$/s, '').replaceAll('\n', ' '));
  }
}

function port(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 65_535) return number;
  throw new BadArguments(`--${name} ${JSON.stringify(text)} is not a port: use a number from 0 to 65535`);
}

function notEmpty(name: string, text: string | undefined): string | null {
  if (text === '') throw new BadArguments(`--${name} needs a value`);
  return text ?? null;
}

function file(name: string, text: string | undefined): string | null {
  const given = notEmpty(name, text);
  return given === null ? null : path.resolve(given);
}

type ProxyChoice = Partial<Pick<Settings, 'upstreamProxy' | 'proxySource' | 'proxyPac'>>;

/** The source of the upstream proxy: at most one of the four options. */
function proxyChoice(values: ProxyValues): ProxyChoice {
  const url = notEmpty('upstream-proxy', values['upstream-proxy']);
  const pac = notEmpty('upstream-pac', values['upstream-pac']);
  const wanted = [url !== null, pac !== null, values['upstream-system'], values['upstream-wpad']];
  if (wanted.filter(Boolean).length > 1) {
    const names = '--upstream-proxy, --upstream-pac, --upstream-system and --upstream-wpad';
    throw new BadArguments(`${names} exclude each other`);
  }
  const upstreamProxy = { enabled: true, url: '' };
  if (url !== null) return { ...proxyAddress(url), proxySource: 'manual' };
  if (values['upstream-system']) return { upstreamProxy, proxySource: 'system' };
  if (values['upstream-wpad']) return { upstreamProxy, proxySource: 'wpad' };
  if (pac === null) return {};
  const isUrl = /^(?:https?|file):/i.test(pac);
  return { upstreamProxy, proxySource: 'pac', proxyPac: isUrl ? pac : path.resolve(pac) };
}

function proxyAddress(url: string): Pick<Settings, 'upstreamProxy'> {
  try {
    parseProxyAddress(url);
  } catch (error) {
    throw new BadArguments(`--upstream-proxy: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { upstreamProxy: { enabled: true, url } };
}

/** `HOST=FILE`: an override for a host that sets only its client certificate. */
function clientCertificate(value: string): HostOverride {
  const [, host, certificate] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (host === undefined || certificate === undefined)
    throw new BadArguments('--client-certificate: write it as HOST=FILE');
  return { ...NO_OVERRIDE, host, clientCertificate: path.resolve(certificate) };
}

/** `NAME=NUMBER`, with the names of the settings file. */
function limit(value: string): [string, number] {
  const [, name, number] = /^([^=]+)=(\d+)$/.exec(value) ?? [];
  if (name === undefined || number === undefined) throw new BadArguments('--limit: write it as NAME=NUMBER');
  const problem = limitProblem(name, Number(number));
  if (problem) throw new BadArguments(`--limit: ${problem}`);
  return [name, Number(number)];
}

/** Custom profiles are in the settings file, which is not read here. */
function throttleProfile(name: string): string {
  const found = NETWORK_PROFILE_NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found === undefined)
    throw new BadArguments(`--throttle ${JSON.stringify(name)}: use one of ${NETWORK_PROFILE_NAMES.join(', ')}`);
  return found;
}

function limitsGiven(values: readonly string[]): GivenLimits {
  return Object.fromEntries(values.map(limit));
}

type ProxyValues = ReturnType<typeof parse<typeof PROXY>>['values'];

function overridesOf(values: ProxyValues): Partial<Settings> {
  return {
    ...(values['no-intercept'] && { intercept: false }),
    ...(values.passthrough && { passthroughHosts: values.passthrough }),
    ...(values['no-http2'] && { http2Client: false, http2Upstream: false }),
    ...(values['no-keep-alive'] && { keepAlive: false }),
    ...(values['no-retry'] && { retry: false }),
    ...(values['retry-idempotent'] && { retryIdempotent: true }),
    ...(values['retry-refused'] && { retryRefused: true }),
    ...(values.nagle && { nagle: true }),
    ...(values['busy-poll'] && { busyPoll: true }),
    ...(values['devices-reach-local'] && { devicesReachLocal: true }),
    ...proxyChoice(values),
    ...(values['upstream-bypass'] && { proxyBypass: values['upstream-bypass'] }),
    ...(values['upstream-proxy-ca'] && { proxyCaFiles: values['upstream-proxy-ca'].map((one) => path.resolve(one)) }),
    ...(values['upstream-ca'] && { upstreamCaFiles: values['upstream-ca'].map((one) => path.resolve(one)) }),
    ...(values['client-certificate'] && { hostOverrides: values['client-certificate'].map(clientCertificate) }),
    ...(values['insecure-upstream'] && { insecureUpstream: true }),
    ...(values.throttle !== undefined && { throttle: throttleProfile(values.throttle) }),
    ...(values.reverse && {
      reverse: values.reverse.map((one) => reverseListener(one, values['reverse-keep-host'] ?? false)),
    }),
    ...(values.otlp !== undefined && { otlp: otlpSettings(values.otlp, values['otlp-unsampled'] ?? false) }),
    ...(values['agents-may-write'] && { agentsMayWrite: true }),
    ...(values['agents-send-to'] && { agentsSendTo: values['agents-send-to'].map((host) => host.toLowerCase()) }),
    ...(values.limit && { limits: limitsGiven(values.limit) }),
  };
}

function dataFolderOf(values: { 'data-dir'?: string | undefined }): string {
  return file('data-dir', values['data-dir']) ?? defaultDataFolder();
}

function proxyOptions(values: ProxyValues): ProxyOptions {
  return {
    port: port('port', values.port, DEFAULT_PORT),
    host: notEmpty('host', values.host) ?? '127.0.0.1',
    uiPort: port('ui-port', values['ui-port'], 0),
    dataFolder: dataFolderOf(values),
    session: file('session', values.session),
    har: file('har', values.har),
    rules: file('rules', values.rules),
    budget: file('budget', values.budget),
    overrides: overridesOf(values),
    json: values.json ?? false,
  };
}

function parseCa(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, CA);
  if (values.help) return { command: 'help' };
  return caCommand(values, positionals, dataFolderOf(values));
}

function parseRulesCommand(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, RULES);
  if (values.help) return { command: 'help' };
  return rulesCommand(values.json ?? false, file('out', values.out), positionals);
}

function parseCompare(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, COMPARE);
  return values.help ? { command: 'help' } : compareCommand(values, positionals);
}

function parseAttached(command: AttachedCommand['command'], args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, ATTACHED);
  if (values.help) return { command: 'help' };
  return attachedCommand(command, values, positionals, dataFolderOf(values));
}

function parseMcp(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, ATTACHED);
  if (values.help) return { command: 'help' };
  return mcpCommand(values, positionals, dataFolderOf(values));
}

function parseTail(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, TAIL);
  if (values.help) return { command: 'help' };
  return { command: 'tail', options: proxyOptions(values), choice: tailChoice(values, positionals) };
}

function parseImport(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, { ...COMMON, session: { type: 'string' } });
  if (values.help) return { command: 'help' };
  return importCommand(values, positionals);
}

function parseSend(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, SEND);
  if (values.help) return { command: 'help' };
  // No client needs the port, and the default one may be in use by a running Roundtrip.
  return { command: 'send', choice: sendChoice(values, positionals), options: { ...proxyOptions(values), port: 0 } };
}

function parseFindings(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, COMMON);
  if (values.help) return { command: 'help' };
  return findingsCommand(values.json ?? false, positionals);
}

function parseLab(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, LAB);
  if (values.help) return { command: 'help' };
  return labCommand(values, values.json ?? false, positionals);
}

function parseExport(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, { ...COMMON, ...EXPORT_OPTIONS, ...WAREHOUSE_OPTIONS });
  if (values.help) return { command: 'help' };
  const format = WAREHOUSE_FORMATS.find((name) => name === values.format);
  return format ? warehouseCommand(format, values, positionals) : exportCommand(values, positionals);
}

function parseSessions(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, { ...COMMON, ...SESSIONS_OPTIONS });
  return values.help ? { command: 'help' } : sessionsCommand(values, positionals, dataFolderOf(values));
}

/** The proxy of an opened session takes any free port. */
function parseOpen(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args, PROXY);
  if (values.help) return { command: 'help' };
  const [source, ...rest] = positionals;
  if (source === undefined || rest.length > 0) throw new BadArguments('open needs one file: open SOURCE');
  return { command: 'open', source, options: proxyOptions({ ...values, port: values.port ?? '0' }) };
}

function parseProxy(command: 'serve' | 'record', args: readonly string[]): CommandLine {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const run = end < 0 ? [] : args.slice(end + 1);
  const { values, positionals } = parse(own, PROXY);
  if (values.help) return { command: 'help' };
  if (positionals[0] !== undefined) {
    const hint = command === 'record' ? ' (put -- before the command to run)' : '';
    throw new BadArguments(`unexpected argument ${JSON.stringify(positionals[0])}${hint}`);
  }
  if (values.budget !== undefined && command === 'serve') throw new BadArguments('--budget needs an end: use record');
  if (end >= 0 && command === 'serve') throw new BadArguments('serve runs no command: use record -- command');
  if (end >= 0 && run.length === 0) throw new BadArguments('-- is not followed by a command');
  const options = proxyOptions(values);
  if (command === 'serve') return { command, options };
  // If recording was paused in the window, `record` would otherwise record nothing.
  return { command, run, options: { ...options, overrides: { ...options.overrides, recording: true } } };
}

/** In groups: what runs, what uses it, what reads files, what sets up. */
const COMMANDS = [
  'serve, record, tail, status, stop, mcp, send',
  'sessions, open, import, export, compare, findings, check, lab',
  'rules or ca (see --help)',
].join(', ');

/** Throws `BadArguments`. `args`: without Node and the script. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (command === '--help' || command === '-h' || command === 'help') return { command: 'help' };
  if (command === '--version') return { command: 'version' };
  if (command === 'serve' || command === 'record') return parseProxy(command, rest);
  if (command === 'mcp') return parseMcp(rest);
  if (command === 'tail') return parseTail(rest);
  if (command === 'status' || command === 'stop') return parseAttached(command, rest);
  if (command === 'ca') return parseCa(rest);
  if (command === 'rules') return parseRulesCommand(rest);
  if (command === 'lab') return parseLab(rest);
  if (command === 'compare') return parseCompare(rest);
  if (command === 'import') return parseImport(rest);
  if (command === 'export') return parseExport(rest);
  if (command === 'sessions') return parseSessions(rest);
  if (command === 'open') return parseOpen(rest);
  if (command === 'send') return parseSend(rest);
  if (command === 'check') return checkCommand(rest) ?? { command: 'help' };
  if (command === 'findings') return parseFindings(rest);
  if (command === undefined) throw new BadArguments(`a command is missing: ${COMMANDS}`);
  throw new BadArguments(`${JSON.stringify(command)} is not a command: use ${COMMANDS}`);
}
