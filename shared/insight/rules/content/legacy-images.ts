import { counted } from '../../../format/counts.ts';
import { remembered } from '../../../format/remembered.ts';
import { formatBytes } from '../../../format/sizes.ts';
import type { Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

/** Bytes of one image, and of those of one origin. */
const ONE = 64 * 1024;
const ALL = 200 * 1024;
/** The share of a JPEG or PNG that WebP saves on average. */
const SAVED = 0.25;
const LEGACY = new Set([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/bmp',
  'image/x-ms-bmp',
  'image/tiff',
  'image/gif',
]);

const acceptsNew = remembered((accepted) => /image\/(?:webp|avif)/.test(accepted));

function isLegacy({ mediaType, responseSize, request, status }: Fact): boolean {
  return responseSize >= ONE && status === 200 && LEGACY.has(mediaType) && acceptsNew(request.accept ?? '');
}

function evidenceOf(origin: string, all: readonly Fact[]): Evidence[] {
  const facts = all.filter(isLegacy);
  const size = sumOf(facts, ({ responseSize }) => responseSize);
  if (size < ALL) return [];
  return [
    {
      title:
        `${counted(facts.length, 'image')} of ${origin} (${formatBytes(size)}) came in ` +
        'an old format, although the client accepts WebP or AVIF',
      where: origin,
      detail: 'WebP saves a quarter on average; the bytes are an estimate based on that.',
      confidence: 'low',
      severity: size * SAVED >= 1024 * 1024 ? 'medium' : 'low',
      facts,
      bytes: size * SAVED,
    },
  ];
}

export const legacyImages: InsightRule = {
  id: 'legacy-images',
  name: 'Legacy image formats',
  about: 'Large images came as PNG, JPEG, GIF, BMP or TIFF to a client that accepts WebP or AVIF.',
  threshold: `Images of ${ONE / 1024} KB or more, ${ALL / 1024} KB together for one origin.`,
  source: 'Lighthouse, "Serve images in modern formats"; the share is that of Google\'s WebP study.',
  remedy: 'Offer WebP or AVIF, by <picture> or by the Accept field.',
  find: ({ byOrigin }) => [...byOrigin].flatMap(([origin, facts]) => evidenceOf(origin, facts)),
};
