import { counted } from '../../../format/counts.ts';
import { formatBytes } from '../../../format/sizes.ts';
import { type Fact, isAsset } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { cacheLifetime } from './cache-lifetime.ts';

/** Seconds: a day. */
const SHORT = 86_400;
const LEAST = 3;
const LARGE = 100 * 1024;

function isShort(fact: Fact): boolean {
  if (!isAsset(fact) || fact.method !== 'GET' || fact.status !== 200) return false;
  const { seconds, deliberate } = cacheLifetime(fact.response, fact.end);
  return !deliberate && (seconds === null || seconds < SHORT);
}

/** `without`: those that state no lifetime. */
function lifetimesOf(all: number, without: number): string {
  if (without === 0) return 'All responses state a lifetime, which is less than a day.';
  if (without === all) return 'None of the responses has max-age or Expires.';
  return `${without} of ${all} responses have neither max-age nor Expires, the others less than a day.`;
}

function evidenceOf(origin: string, all: readonly Fact[]): Evidence[] {
  const facts = all.filter(isShort);
  const bytes = sumOf(facts, ({ responseSize }) => responseSize);
  const paths = new Set(facts.map(({ path }) => path)).size;
  if (paths < LEAST && bytes < LARGE) return [];
  const without = facts.filter(({ response, end }) => cacheLifetime(response, end).seconds === null).length;
  return [
    {
      title: `${counted(paths, 'static file')} of ${origin} (${formatBytes(bytes)}) may be cached for less than a day`,
      where: origin,
      detail: lifetimesOf(facts.length, without),
      facts,
      bytes,
      requests: facts.length,
    },
  ];
}

export const caching: InsightRule = {
  id: 'caching',
  name: 'Missing or short caching',
  about:
    'Scripts, styles, images, fonts and media without a lifetime, or with less than a day, are fetched again at ' +
    'the next visit.',
  threshold:
    `${LEAST} files of one origin, or 100 KB. Files with no-store, no-cache, must-revalidate, private or ` +
    'stale-while-revalidate are left out: their lifetime is a decision.',
  source: 'Lighthouse, "Serve static assets with an efficient cache policy" (what counts); the day is our own.',
  remedy: 'Put a hash into the file names and send Cache-Control: public, max-age=31536000, immutable.',
  find: ({ byOrigin }) => [...byOrigin].flatMap(([origin, facts]) => evidenceOf(origin, facts)),
};
