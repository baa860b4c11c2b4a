import path from 'node:path';
import { type GivenLimits, limitProblem } from '../../../shared/model/limits.ts';
import { NETWORK_PROFILE_NAMES } from '../../../shared/model/rule/throttle.ts';
import { type HostOverride, NO_OVERRIDE, type Settings } from '../../../shared/model/settings.ts';
import { parseProxyAddress } from '../../commands/services/proxy-address.ts';
import { checkSettings } from '../../commands/services/settings-rules.ts';
import { RoundtripError } from '../../failures/errors.ts';
import { notEmpty } from '../arguments.ts';
import { BadArguments } from '../bad-arguments.ts';
import { otlpSettings } from './otlp-option.ts';
import type { ProxyValues } from './proxy-flags.ts';
import { reverseListener } from './reverse-option.ts';

type ProxyChoice = Partial<Pick<Settings, 'upstreamProxy' | 'proxySource' | 'proxyPac'>>;

/** The source of the upstream proxy: at most one of the four options. */
function proxyChoice(values: ProxyValues): ProxyChoice {
  const url = notEmpty('upstream-proxy', values['upstream-proxy']);
  const pac = notEmpty('upstream-pac', values['upstream-pac']);
  const wanted = [url !== null, pac !== null, values['upstream-system'], values['upstream-wpad']];
  if (wanted.filter(Boolean).length > 1) {
    const names = '--upstream-proxy, --upstream-pac, --upstream-system and --upstream-wpad';
    throw new BadArguments(`${names} exclude each other`);
  }
  const upstreamProxy = { enabled: true, url: '' };
  if (url !== null) return { ...proxyAddress(url), proxySource: 'manual' };
  if (values['upstream-system']) return { upstreamProxy, proxySource: 'system' };
  if (values['upstream-wpad']) return { upstreamProxy, proxySource: 'wpad' };
  if (pac === null) return {};
  const isUrl = /^(?:https?|file):/i.test(pac);
  return { upstreamProxy, proxySource: 'pac', proxyPac: isUrl ? pac : path.resolve(pac) };
}

function proxyAddress(url: string): Pick<Settings, 'upstreamProxy'> {
  try {
    parseProxyAddress(url);
  } catch (error) {
    throw new BadArguments(`--upstream-proxy: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { upstreamProxy: { enabled: true, url } };
}

/** `HOST=FILE`: an override for a host that sets only its client certificate. */
function clientCertificate(value: string): HostOverride {
  const [, host, certificate] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (host === undefined || certificate === undefined)
    throw new BadArguments('--client-certificate: write it as HOST=FILE');
  return { ...NO_OVERRIDE, host, clientCertificate: path.resolve(certificate) };
}

/** `NAME=NUMBER`, with the names of the settings file. */
function limit(value: string): [string, number] {
  const [, name, number] = /^([^=]+)=(\d+)$/.exec(value) ?? [];
  if (name === undefined || number === undefined) throw new BadArguments('--limit: write it as NAME=NUMBER');
  const problem = limitProblem(name, Number(number));
  if (problem) throw new BadArguments(`--limit: ${problem}`);
  return [name, Number(number)];
}

/** Custom profiles are in the settings file, which is not read here. */
function throttleProfile(name: string): string {
  const found = NETWORK_PROFILE_NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found === undefined)
    throw new BadArguments(`--throttle ${JSON.stringify(name)}: use one of ${NETWORK_PROFILE_NAMES.join(', ')}`);
  return found;
}

function limitsGiven(values: readonly string[]): GivenLimits {
  return Object.fromEntries(values.map(limit));
}

/** Also checks the files that settings name. Throws `BadArguments`. */
export function checkOverrides(overrides: Partial<Settings>): void {
  try {
    checkSettings(overrides);
  } catch (error) {
    throw error instanceof RoundtripError ? new BadArguments(error.message) : error;
  }
}

/** The settings that the command line changes for one run. Throws `BadArguments`. */
export function overridesOf(values: ProxyValues): Partial<Settings> {
  return {
    ...(values['no-intercept'] && { intercept: false }),
    ...(values.passthrough && { passthroughHosts: values.passthrough }),
    ...(values['no-http2'] && { http2Client: false, http2Upstream: false }),
    ...(values['no-keep-alive'] && { keepAlive: false }),
    ...(values['no-retry'] && { retry: false }),
    ...(values['retry-idempotent'] && { retryIdempotent: true }),
    ...(values['retry-refused'] && { retryRefused: true }),
    ...(values.nagle && { nagle: true }),
    ...(values['busy-poll'] && { busyPoll: true }),
    ...(values['devices-reach-local'] && { devicesReachLocal: true }),
    ...proxyChoice(values),
    ...(values['upstream-bypass'] && { proxyBypass: values['upstream-bypass'] }),
    ...(values['upstream-proxy-ca'] && { proxyCaFiles: values['upstream-proxy-ca'].map((one) => path.resolve(one)) }),
    ...(values['upstream-ca'] && { upstreamCaFiles: values['upstream-ca'].map((one) => path.resolve(one)) }),
    ...(values['client-certificate'] && { hostOverrides: values['client-certificate'].map(clientCertificate) }),
    ...(values['insecure-upstream'] && { insecureUpstream: true }),
    ...(values.throttle !== undefined && { throttle: throttleProfile(values.throttle) }),
    ...(values.reverse && {
      reverse: values.reverse.map((one) => reverseListener(one, values['reverse-keep-host'] ?? false)),
    }),
    ...(values.otlp !== undefined && { otlp: otlpSettings(values.otlp, values['otlp-unsampled'] ?? false) }),
    ...(values['agents-may-write'] && { agentsMayWrite: true }),
    ...(values['agents-send-to'] && { agentsSendTo: values['agents-send-to'].map((host) => host.toLowerCase()) }),
    ...(values.limit && { limits: limitsGiven(values.limit) }),
  };
}
