import * as v from 'valibot';

/** A network's properties. Speeds in kilobits (1000 bits) per second; Infinity: no limit. */
export interface NetworkFigures {
  downKbps: number;
  upKbps: number;
  /** Milliseconds, and how far each round trip may differ from it. */
  rttMs: number;
  jitterMs: number;
  /** The share of packets that are lost, percent. */
  lossPercent: number;
  /** Decides jitter and loss. */
  seed: number;
}

function network(downKbps: number, upKbps: number, rttMs: number): NetworkFigures {
  return { downKbps, upKbps, rttMs, jitterMs: 0, lossPercent: 0, seed: 1 };
}

/**
 * The targets of Chromium's and Firefox's developer tools. Chromium multiplies its own, because it delays requests; a
 * proxy that paces a link uses the targets. Slowest first: lists show them in this order.
 */
const NETWORK_PROFILES = {
  GPRS: network(50, 20, 500),
  '2G': network(250, 50, 300),
  'Good 2G': network(450, 150, 150),
  'Slow 3G': network(500, 500, 400),
  '3G': network(750, 250, 100),
  'Good 3G': network(1_536, 750, 40),
  'Slow 4G': network(1_600, 750, 150),
  DSL: network(2_048, 1_024, 5),
  '4G': network(4_096, 3_072, 20),
  'Fast 4G': network(9_000, 1_500, 60),
  'Wi-Fi': network(30_720, 15_360, 2),
} as const satisfies Record<string, NetworkFigures>;
export type NetworkProfile = keyof typeof NETWORK_PROFILES;
export const NETWORK_PROFILE_NAMES = Object.keys(NETWORK_PROFILES) as [NetworkProfile, ...NetworkProfile[]];

/** A slower link than this transfers a packet in over a second. */
const Kbps = v.pipe(v.number(), v.minValue(8), v.maxValue(10_000_000));
const Milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(60_000));
const FIGURES = {
  downKbps: v.optional(Kbps),
  upKbps: v.optional(Kbps),
  rttMs: v.optional(Milliseconds),
  jitterMs: v.optional(Milliseconds),
  lossPercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(50))),
  seed: v.optional(v.pipe(v.number(), v.integer())),
};

/** A profile, with the given figures in place of the profile's; without a profile, missing figures are not limited. */
export const ThrottleSchema = v.strictObject({ profile: v.optional(v.picklist(NETWORK_PROFILE_NAMES)), ...FIGURES });
export type Throttle = v.InferOutput<typeof ThrottleSchema>;

/** A profile that the user made. */
export const CustomProfileSchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
  ...FIGURES,
});
export type CustomProfile = v.InferOutput<typeof CustomProfileSchema>;

const UNLIMITED = network(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0);

export function figuresOf(throttle: Throttle): NetworkFigures {
  const base = throttle.profile === undefined ? UNLIMITED : NETWORK_PROFILES[throttle.profile];
  return {
    downKbps: throttle.downKbps ?? base.downKbps,
    upKbps: throttle.upKbps ?? base.upKbps,
    rttMs: throttle.rttMs ?? base.rttMs,
    jitterMs: throttle.jitterMs ?? base.jitterMs,
    lossPercent: throttle.lossPercent ?? base.lossPercent,
    seed: throttle.seed ?? base.seed,
  };
}

/** The figures of a profile by its name, a built-in or a custom one; null: no profile has this name. */
export function namedFigures(name: string, custom: readonly CustomProfile[]): NetworkFigures | null {
  if (Object.hasOwn(NETWORK_PROFILES, name)) return NETWORK_PROFILES[name as NetworkProfile];
  const found = custom.find((profile) => profile.name === name);
  if (!found) return null;
  const { name: _name, ...figures } = found;
  return figuresOf(figures);
}

/** A custom profile, or the faulty field and what is wrong with it. */
export function parseProfile(
  input: unknown,
): { ok: true; profile: CustomProfile } | { ok: false; field: string; problem: string } {
  const parsed = v.safeParse(CustomProfileSchema, input);
  if (parsed.success) return { ok: true, profile: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, field: v.getDotPath(issue) ?? 'name', problem: issue.message };
}
