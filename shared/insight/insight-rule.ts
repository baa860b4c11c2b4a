import type { Finding, Severity } from '../model/insight/finding.ts';
import type { Fact } from './fact.ts';
import { tenths } from './figures.ts';
import { criticalTime, elapsed, type Span } from './lost-time.ts';
import type { Scene } from './scene.ts';

/** What a rule reports about one case; the rest of the finding follows from the rule. */
export interface Evidence extends Partial<Pick<Finding, 'severity' | 'confidence' | 'detail' | 'remedy'>> {
  title: string;
  where: string;
  facts: readonly Fact[];
  /** The time that each of `facts` lost, in order; `costMs` follows from it. */
  lost?: readonly Span[];
  /** If it is more than a sum of such stretches. */
  costMs?: number | null;
  bytes?: number | null;
  requests?: number | null;
}

/** Looks for one kind of evidence. Pure: the same facts give the same findings. */
export interface InsightRule {
  /** Stable: scripts and budgets name it. */
  id: string;
  /** For headings. */
  name: string;
  /** What it means, for docs/findings.md: one or two sentences. */
  about: string;
  /** When it reports. */
  threshold: string;
  /** Where the threshold comes from. */
  source: string;
  /** What to change; a case may be more specific. */
  remedy: string;
  find(scene: Scene): Evidence[];
}

/** Milliseconds and bytes. */
const HIGH = { ms: 1000, bytes: 1024 * 1024 };
const MEDIUM = { ms: 300, bytes: 300 * 1024 };

function severityOf(costMs: number | null, bytes: number | null): Severity {
  const reaches = (level: typeof HIGH) => (costMs ?? 0) >= level.ms || (bytes ?? 0) >= level.bytes;
  if (reaches(HIGH)) return 'high';
  return reaches(MEDIUM) ? 'medium' : 'low';
}

export function findingOf(rule: InsightRule, evidence: Evidence, scene: Scene): Finding {
  const { title, where, facts, lost, bytes = null, requests = null } = evidence;
  const isTimed = facts.some((fact) => fact.isTimed);
  const costMs = lost && isTimed ? elapsed(lost) : (evidence.costMs ?? null);
  return {
    rule: rule.id,
    severity: evidence.severity ?? severityOf(costMs, bytes),
    confidence: evidence.confidence ?? 'high',
    title,
    where,
    detail: evidence.detail ?? '',
    remedy: evidence.remedy ?? rule.remedy,
    exchanges: facts.map(({ id }) => id),
    costMs: costMs === null ? null : tenths(costMs),
    criticalMs: lost && isTimed ? criticalTime(facts, lost, scene.critical) : null,
    bytes: bytes === null ? null : Math.round(bytes),
    requests,
  };
}
