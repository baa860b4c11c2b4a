import type { LabVariant } from '../../shared/model/lab/lab-result.ts';

/** How a variant replays the page. */
export interface VariantPlan {
  /** `baseline`: the protocol that the page was recorded with. */
  protocol: 'http1' | 'http2' | 'baseline';
  /** What a visit finds in the browser's cache: nothing, fresh responses, or responses to revalidate. */
  cache: 'empty' | 'fresh' | 'stale';
  keepAlive: boolean;
  nagle: boolean;
  oneHost: boolean;
  bundle: boolean;
  preflights: boolean;
}

const PLAIN: VariantPlan = {
  protocol: 'baseline',
  cache: 'empty',
  keepAlive: true,
  nagle: false,
  oneHost: false,
  bundle: false,
  preflights: true,
};

export const VARIANTS: Readonly<Record<LabVariant, VariantPlan>> = {
  http1: { ...PLAIN, protocol: 'http1' },
  http2: { ...PLAIN, protocol: 'http2' },
  'one-host': { ...PLAIN, protocol: 'http1', oneHost: true },
  bundle: { ...PLAIN, bundle: true },
  'warm-cache': { ...PLAIN, cache: 'fresh' },
  'not-modified': { ...PLAIN, cache: 'stale' },
  'no-preflights': { ...PLAIN, preflights: false },
  'no-keep-alive': { ...PLAIN, protocol: 'http1', keepAlive: false },
  nagle: { ...PLAIN, protocol: 'http1', nagle: true },
};

/** What a variant is compared with: the protocol of the recording, for variants of HTTP/1.1 that protocol. */
export function baselineOf(variant: LabVariant, wasHttp2: boolean): LabVariant {
  const recorded = wasHttp2 ? 'http2' : 'http1';
  if (variant === 'http1' || variant === 'http2') return recorded;
  return VARIANTS[variant].protocol === 'http1' ? 'http1' : recorded;
}
