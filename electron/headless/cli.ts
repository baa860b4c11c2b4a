import { BadArguments } from './bad-arguments.ts';
import { parseCommandLine } from './options.ts';
import { sentenceOf } from './output.ts';
import { USAGE } from './usage.ts';
import { VERSION } from './version.ts';
import { WatchedOutput } from './watched-output.ts';

/**
 * Loads a command when it is called. Otherwise V8 compiles all of them, and runs their modules, at each start:
 * `--version` took twice the processor time.
 */
async function run(args: readonly string[]): Promise<number> {
  const line = parseCommandLine(args);
  switch (line.command) {
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      return 0;
    case 'serve':
      return (await import('./serve.ts')).serve(line.options);
    case 'record':
      return (await import('./record.ts')).record(line.options, line.run);
    case 'tail':
      return (await import('./attached/tail.ts')).tail(line.options, line.choice);
    case 'status':
      return (await import('./attached/status.ts')).status(line);
    case 'stop':
      return (await import('./attached/stop.ts')).stop(line);
    case 'mcp':
      return (await import('./mcp/mcp.ts')).mcp(line);
    case 'ca':
      return (await import('./ca/ca.ts')).ca(line);
    case 'send':
      return (await import('./send/send.ts')).send(line.choice, line.options);
    case 'lab':
      return (await import('./lab/lab.ts')).lab(line);
    case 'rules':
      if (line.action === 'check') return (await import('./rules/check-rules.ts')).checkRules(line);
      return (await import('./rules/import-rules.ts')).importRulesFile(line);
    case 'compare':
      return (await import('./compare/compare.ts')).compare(line);
    case 'import':
      return (await import('./import/import-command.ts')).importSession(line);
    case 'check':
      return (await import('./insight/check.ts')).check(line);
    case 'findings':
      return (await import('./insight/findings.ts')).findings(line);
    case 'warehouse':
      return (await import('./export/warehouse/warehouse-command.ts')).exportToWarehouse(line);
    case 'sessions':
      return (await import('./sessions/sessions-command.ts')).listSessions(line);
    case 'open':
      return (await import('./sessions/open-command.ts')).openSession(line.source, line.options);
    case 'export':
      return (await import('./export/export-command.ts')).exportSource(line);
  }
}

/** Exit codes: 2 bad arguments, 1 any other failure, each with one line on stderr. */
async function main(): Promise<void> {
  const output = new WatchedOutput(process.stdout, process.stderr);
  try {
    process.exitCode = await run(process.argv.slice(2));
    const problem = await output.problem();
    if (problem !== null) throw new Error(`standard output could not be written: ${problem}`);
  } catch (error) {
    process.stderr.write(`roundtrip: ${sentenceOf(error)}\n`);
    process.exitCode = error instanceof BadArguments ? 2 : 1;
  }
}

void main();
