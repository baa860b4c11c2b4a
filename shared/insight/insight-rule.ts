import type { Finding, Severity } from '../model/insight/finding.ts';
import type { Fact } from './fact.ts';
import type { Scene } from './scene.ts';

/** What a rule says about one case; the rest of the finding follows from the rule. */
export interface Evidence extends Partial<Pick<Finding, 'severity' | 'confidence' | 'detail' | 'remedy'>> {
  title: string;
  where: string;
  facts: readonly Fact[];
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
  /** When it speaks. */
  threshold: string;
  /** Where the threshold comes from. */
  source: string;
  /** What to change; a case may know better. */
  remedy: string;
  find(scene: Scene): Evidence[];
}

/** Milliseconds and bytes. */
const HIGH = { ms: 1000, bytes: 1024 * 1024 };
const MEDIUM = { ms: 300, bytes: 300 * 1024 };

function severityOf({ costMs, bytes }: Evidence): Severity {
  const reaches = (level: typeof HIGH) => (costMs ?? 0) >= level.ms || (bytes ?? 0) >= level.bytes;
  if (reaches(HIGH)) return 'high';
  return reaches(MEDIUM) ? 'medium' : 'low';
}

export function findingOf(rule: InsightRule, evidence: Evidence): Finding {
  const { title, where, facts, costMs = null, bytes = null, requests = null } = evidence;
  return {
    rule: rule.id,
    severity: evidence.severity ?? severityOf(evidence),
    confidence: evidence.confidence ?? 'high',
    title,
    where,
    detail: evidence.detail ?? '',
    remedy: evidence.remedy ?? rule.remedy,
    exchanges: facts.map(({ id }) => id),
    costMs: costMs === null ? null : Math.round(costMs * 10) / 10,
    bytes: bytes === null ? null : Math.round(bytes),
    requests,
  };
}
