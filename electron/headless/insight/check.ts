import { writeFile } from 'node:fs/promises';
import { counted } from '../../../shared/format/counts.ts';
import type { Budget } from '../../../shared/insight/budget/budget.ts';
import { annotationsOf } from '../../../shared/insight/check/annotations.ts';
import type { BaselineVerdict, CheckResult } from '../../../shared/insight/check/check-result.ts';
import { junitOf } from '../../../shared/insight/check/junit.ts';
import { reportHtml } from '../../../shared/insight/report/report.ts';
import { RoundtripError } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { checkRuns } from '../../session/insight/check-runs.ts';
import { BadArguments } from '../bad-arguments.ts';
import { Output } from '../output.ts';
import { readBudget } from './budget-reader.ts';
import type { CheckCommand } from './check-options.ts';

/** Returns the exit code: 1 if anything is over its budget or worse than before. Throws `BadArguments`. */
export async function check(command: CheckCommand): Promise<0 | 1> {
  const output = new Output(command.json);
  return await checkAgainst(command, readBudget(command.budget), output, (line) => output.say(line));
}

type Job = Pick<CheckCommand, 'sources' | 'baselines' | 'junit' | 'html'>;

/** Like `check`, with a budget that was already read. `print`: lines for people, not called with --json. */
export async function checkAgainst(
  job: Job,
  budget: Budget,
  output: Output,
  print: (line: string) => void,
): Promise<0 | 1> {
  const { result, waterfalls } = await runs(job, budget);
  const at = new Date().toISOString();
  if (job.junit !== null) await write(job.junit, junitOf(result, at));
  if (job.html !== null) await write(job.html, reportHtml({ result, waterfalls, at }));
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of annotationsOf(result)) output.fault(line);
  output.event({ event: 'check', ...result });
  for (const line of output.json ? [] : checkLines(result)) print(line);
  return result.ok ? 0 : 1;
}

/** A source that can't be read is bad input. */
async function runs({ sources, baselines }: Job, budget: Budget): ReturnType<typeof checkRuns> {
  try {
    return await checkRuns(sources, baselines, budget);
  } catch (error) {
    throw error instanceof RoundtripError ? new BadArguments(error.message) : error;
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new BadArguments(`${file} can't be written: ${fileProblem(error, file)}`);
  }
}

/** In front of a line about a figure that changed. */
const MARKS: Record<BaselineVerdict['verdict'], string> = {
  worse: 'WORSE',
  better: 'better',
  new: 'new',
  gone: 'gone',
  same: '',
  'too-few-runs': '?',
};

/** For people: every line of the budget, what changed against the baselines, and how many findings there are. */
function checkLines({ ok, sources, baseline, notes }: CheckResult): string[] {
  const several = sources.length > 1;
  const budgets = sources.flatMap(({ source, budgets: lines, findings }) => [
    ...(several ? [`${source}:`] : []),
    ...lines.map((line) => `${line.ok ? 'ok  ' : 'OVER'}  ${line.message}`),
    `      ${counted(findings.length, 'finding')}`,
  ]);
  const changed = baseline.filter(({ verdict }) => verdict !== 'same' && verdict !== 'too-few-runs');
  const runsLines = changed.map(({ verdict, message }) => `${MARKS[verdict].padEnd(6)}  ${message}`);
  const unsure = baseline.filter(({ verdict }) => verdict === 'too-few-runs').length;
  const few = unsure === 0 ? [] : [`?       ${unsure} times: too few runs to tell (5 a side are needed)`];
  const rest = baseline.length - changed.length - unsure;
  const same = baseline.length === 0 ? [] : [...few, `        ${rest} figures as in the baselines`];
  return [...notes, ...budgets, ...runsLines, ...same, ok ? 'Within budget.' : 'Over budget.'];
}
