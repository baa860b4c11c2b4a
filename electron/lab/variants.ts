import type { LabVariant } from '../../shared/model/lab/lab-result.ts';

/** How a variant replays the page. */
export interface VariantPlan {
  /** As the subject of a sentence. */
  name: string;
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

const PLAIN: Omit<VariantPlan, 'name'> = {
  protocol: 'baseline',
  cache: 'empty',
  keepAlive: true,
  nagle: false,
  oneHost: false,
  bundle: false,
  preflights: true,
};

export const VARIANTS: Readonly<Record<LabVariant, VariantPlan>> = {
  http1: { ...PLAIN, name: 'HTTP/1.1', protocol: 'http1' },
  http2: { ...PLAIN, name: 'HTTP/2', protocol: 'http2' },
  'one-host': { ...PLAIN, name: 'HTTP/1.1 on one host', protocol: 'http1', oneHost: true },
  bundle: { ...PLAIN, name: 'One bundle', bundle: true },
  'warm-cache': { ...PLAIN, name: 'A warm cache', cache: 'fresh' },
  'not-modified': { ...PLAIN, name: 'Revalidation (304)', cache: 'stale' },
  'no-preflights': { ...PLAIN, name: 'Avoiding preflights', preflights: false },
  'no-keep-alive': { ...PLAIN, name: 'HTTP/1.1 without keep-alive', protocol: 'http1', keepAlive: false },
  nagle: { ...PLAIN, name: "HTTP/1.1 with Nagle's algorithm", protocol: 'http1', nagle: true },
};

/** What a variant is compared with: the protocol of the recording, for variants of HTTP/1.1 that protocol. */
export function baselineOf(variant: LabVariant, wasHttp2: boolean): LabVariant {
  const recorded = wasHttp2 ? 'http2' : 'http1';
  if (variant === 'http1' || variant === 'http2') return recorded;
  return VARIANTS[variant].protocol === 'http1' ? 'http1' : recorded;
}
