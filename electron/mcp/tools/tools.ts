import type { Tool } from '../define-tool.ts';
import { aggregate } from './aggregate.ts';
import { applyRule, clearMine } from './apply-rule.ts';
import { body } from './body.ts';
import { checkBudget } from './check-budget.ts';
import { diffExchanges } from './diff-exchanges.ts';
import { diffSessions } from './diff-sessions.ts';
import { explainRules } from './explain-rules.ts';
import { exportHar } from './export.ts';
import { findings } from './findings.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { resend } from './resend.ts';
import { selfTest } from './self-test.ts';
import { status } from './status.ts';
import { timeline } from './timeline.ts';
import { tryRule } from './try-rule.ts';
import { waitFor } from './wait-for.ts';

/** All tools. Together they must cost an agent less than 4,000 tokens: a test counts. */
export const TOOLS: readonly Tool[] = [
  ...[status, selfTest, list, get, body, waitFor, aggregate, findings, timeline],
  ...[diffExchanges, diffSessions, explainRules, tryRule, applyRule, clearMine],
  ...[resend, checkBudget, exportHar],
];
