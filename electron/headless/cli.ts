import { status } from './attached/status.ts';
import { stop } from './attached/stop.ts';
import { tail } from './attached/tail.ts';
import { BadArguments } from './bad-arguments.ts';
import { ca } from './ca/ca.ts';
import { compare } from './compare/compare.ts';
import { exportSource } from './export/export-command.ts';
import { exportToWarehouse } from './export/warehouse/warehouse-command.ts';
import { importSession } from './import/import-command.ts';
import { check } from './insight/check.ts';
import { findings } from './insight/findings.ts';
import { lab } from './lab/lab.ts';
import { mcp } from './mcp/mcp.ts';
import { parseCommandLine } from './options.ts';
import { sentenceOf } from './output.ts';
import { record } from './record.ts';
import { checkRules } from './rules/check-rules.ts';
import { importRulesFile } from './rules/import-rules.ts';
import { send } from './send/send.ts';
import { serve } from './serve.ts';
import { openSession } from './sessions/open-command.ts';
import { listSessions } from './sessions/sessions-command.ts';
import { USAGE } from './usage.ts';
import { VERSION } from './version.ts';
import { WatchedOutput } from './watched-output.ts';

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
      return await serve(line.options);
    case 'record':
      return await record(line.options, line.run);
    case 'tail':
      return await tail(line.options, line.choice);
    case 'status':
      return await status(line);
    case 'stop':
      return await stop(line);
    case 'mcp':
      return await mcp(line);
    case 'ca':
      return await ca(line);
    case 'send':
      return await send(line.choice, line.options);
    case 'lab':
      return await lab(line);
    case 'rules':
      return line.action === 'check' ? checkRules(line) : importRulesFile(line);
    case 'compare':
      return await compare(line);
    case 'import':
      return await importSession(line);
    case 'check':
      return await check(line);
    case 'findings':
      return await findings(line);
    case 'warehouse':
      return await exportToWarehouse(line);
    case 'sessions':
      return listSessions(line);
    case 'open':
      return await openSession(line.source, line.options);
    case 'export':
      return await exportSource(line);
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
