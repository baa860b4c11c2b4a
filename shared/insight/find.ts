import type { Finding, Severity } from '../model/insight/finding.ts';
import type { Fact } from './fact.ts';
import { findingOf } from './insight-rule.ts';
import { INSIGHT_RULES } from './rules/catalogue.ts';
import { Scene } from './scene.ts';

const RANK: Record<Severity, number> = { high: 0, medium: 1, low: 2 };

/** All findings, the worst first: by severity, then by the time and the bytes that they cost. */
export function findIn(facts: readonly Fact[]): Finding[] {
  const scene = new Scene(facts);
  const found = INSIGHT_RULES.flatMap((rule) => rule.find(scene).map((evidence) => findingOf(rule, evidence, scene)));
  return found.sort(
    (one, other) =>
      RANK[one.severity] - RANK[other.severity] ||
      (other.costMs ?? 0) - (one.costMs ?? 0) ||
      (other.bytes ?? 0) - (one.bytes ?? 0),
  );
}
