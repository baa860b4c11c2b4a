import { COMMON, dataFolderOf, file, parse } from './arguments.ts';
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
import { PROXY } from './proxy/proxy-flags.ts';
import { type ProxyOptions, proxyOptions } from './proxy/proxy-options.ts';
import { type RulesCommand, rulesCommand } from './rules/rules-options.ts';
import { type SendChoice, sendChoice } from './send/send-options.ts';
import { SESSIONS_OPTIONS, type SessionsCommand, sessionsCommand } from './sessions/sessions-options.ts';

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
  // No client needs the port, and a running Roundtrip may use the default one.
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
  if (values.budget !== undefined && command === 'serve')
    throw new BadArguments('--budget needs a recording that ends: use record');
  if (end >= 0 && command === 'serve') throw new BadArguments('serve runs no command: use record -- command');
  if (end >= 0 && run.length === 0) throw new BadArguments('-- is not followed by a command');
  const options = proxyOptions(values);
  if (command === 'serve') return { command, options };
  // If recording was paused in the window, `record` would otherwise record nothing.
  return { command, run, options: { ...options, overrides: { ...options.overrides, recording: true } } };
}

/** In groups: what runs, what uses it, what reads files, what sets up. */
const GROUPS = [
  'serve, record, tail, status, stop, mcp, send',
  'sessions, open, import, export, compare, findings, check, lab',
  'rules or ca (see --help)',
].join(', ');

const COMMANDS: ReadonlyMap<string, (args: readonly string[]) => CommandLine> = new Map([
  ['serve', (args) => parseProxy('serve', args)],
  ['record', (args) => parseProxy('record', args)],
  ['tail', parseTail],
  ['status', (args) => parseAttached('status', args)],
  ['stop', (args) => parseAttached('stop', args)],
  ['mcp', parseMcp],
  ['send', parseSend],
  ['sessions', parseSessions],
  ['open', parseOpen],
  ['import', parseImport],
  ['export', parseExport],
  ['compare', parseCompare],
  ['findings', parseFindings],
  ['check', (args) => checkCommand(args) ?? { command: 'help' }],
  ['lab', parseLab],
  ['rules', parseRulesCommand],
  ['ca', parseCa],
]);

/** Throws `BadArguments`. `args`: without Node and the script. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const [command, ...rest] = args;
  if (command === '--help' || command === '-h' || command === 'help') return { command: 'help' };
  if (command === '--version') return { command: 'version' };
  if (command === undefined) throw new BadArguments(`a command is missing: ${GROUPS}`);
  const read = COMMANDS.get(command);
  if (!read) throw new BadArguments(`${JSON.stringify(command)} is not a command: use ${GROUPS}`);
  return read(rest);
}
