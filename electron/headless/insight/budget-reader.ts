import * as v from 'valibot';
import { isMap, isNode, isScalar, LineCounter, parseDocument, visit, YAMLError } from 'yaml';
import type { Budget } from '../../../shared/insight/budget/budget.ts';
import {
  BudgetFileSchema,
  LighthouseBudgetSchema,
  TimeLimitsSchema,
} from '../../../shared/insight/budget/budget-file.ts';
import { BudgetError, parseBudgetLine } from '../../../shared/insight/budget/expression.ts';
import { describe } from '../../failures/errors.ts';
import { readProblem } from '../../files/read-problem.ts';
import { readUserText } from '../../files/user-text.ts';
import { BadArguments } from '../bad-arguments.ts';
import { budgetFault } from './budget-fault.ts';

/** Reads JSON or YAML. Throws `BadArguments`: `FILE:line:column: what`, for the first fault. */
export function readBudget(file: string): Budget {
  const counter = new LineCounter();
  const source = textOf(file);
  const document = parseDocument(source, { lineCounter: counter });
  const at = (offset: number, what: string) => {
    const { line, col } = counter.linePos(offset);
    return new BadArguments(`${file}:${line}:${col}: ${what}`);
  };
  const [error] = document.errors;
  if (error instanceof YAMLError) throw at(error.pos[0], yamlFault(error));
  const content = contentOf(document, at);
  const isList = Array.isArray(content);
  const parsed = isList ? v.safeParse(LighthouseBudgetSchema, content) : v.safeParse(BudgetFileSchema, content);
  if (!parsed.success) {
    const { path, isKey, sentence } = budgetFault(parsed.issues, isList);
    throw at((isKey ? keyOffset(document, path) : null) ?? offsetIn(document, path), sentence);
  }
  if (isList)
    return {
      kind: 'lighthouse',
      budget: v.parse(LighthouseBudgetSchema, content),
      times: v.parse(TimeLimitsSchema, {}),
    };
  const { budget, baseline } = v.parse(BudgetFileSchema, content);
  const lines = budget.map((text, index) => {
    try {
      return parseBudgetLine(text);
    } catch (problem) {
      if (!(problem instanceof BudgetError)) throw problem;
      const start = offsetIn(document, ['budget', index]);
      throw at(start + within(source.slice(start), text, problem.offset), problem.message);
    }
  });
  return { kind: 'lines', lines, times: v.parse(TimeLimitsSchema, baseline ?? {}) };
}

type Parsed = ReturnType<typeof parseDocument>;

/** Aliases are looked up only now: one may have no anchor, or be one of billions. */
function contentOf(document: Parsed, at: (offset: number, what: string) => BadArguments): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const place = /: (\S+)$/.exec(describe(error))?.[1];
    let offset = 0;
    visit(document, {
      Alias: (_key, node) => {
        if (node.source !== place) return undefined;
        offset = node.range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    throw at(offset, `${describe(error)}.`);
  }
}

/** The offset of a value, or that of the next one around it. */
function offsetIn(document: Parsed, path: readonly unknown[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** The offset of the last key of a path; null if it has none. */
function keyOffset(document: Parsed, path: readonly unknown[]): number | null {
  const around = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(around) ? around.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? null) : null;
}

/** Without the library's name for a fix. */
function yamlFault({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'The file has several YAML documents: keep one, and remove the line with ---.';
  return message.split('\n', 1)[0]?.replace(/ at line .*$/, '') ?? '';
}

/**
 * The fault's offset from the start of the line's scalar. Quotes are skipped; a scalar with escapes or folded lines
 * differs from its source, and then its start is named.
 */
function within(source: string, text: string, offset: number): number {
  const quote = /^["']?/.exec(source)?.[0].length ?? 0;
  return source.startsWith(text, quote) ? quote + offset : 0;
}

function textOf(file: string): string {
  try {
    return readUserText(file);
  } catch (error) {
    throw new BadArguments(`the budget ${file} can't be read: ${readProblem(error)}`);
  }
}
