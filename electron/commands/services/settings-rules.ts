import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { urlWithoutLogin, withoutLogin } from '../../../shared/format/proxy-url.ts';
import { limitProblem } from '../../../shared/model/limits.ts';
import { otlpProblem } from '../../../shared/model/otlp/otlp.ts';
import { type CustomProfile, NETWORK_PROFILE_NAMES } from '../../../shared/model/rule/throttle.ts';
import { DEFAULT_SETTINGS, type HostOverride, type Settings } from '../../../shared/model/settings.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { refuseLockedHere } from '../../files/locked-here.ts';
import { parseProxyAddress } from './proxy-address.ts';

const HOST_PATTERN = /^[a-z0-9._*:[\]-]{1,255}$/i;
const MOST_HOSTS = 1000;

function checkPassthroughHosts(hosts: readonly string[]): void {
  if (hosts.length > MOST_HOSTS) {
    throw roundtripError('settings.invalid', { detail: `more than ${MOST_HOSTS} hosts to pass through` });
  }
  const wrong = hosts.find((host) => !HOST_PATTERN.test(host));
  if (wrong === undefined) return;
  const shown = JSON.stringify(withoutLogin(wrong));
  const detail = `${shown} is not a valid host name to pass through (write it as api.test or *.test)`;
  throw roundtripError('settings.invalid', { detail });
}

const BYPASS_ENTRY = /^(?:<local>|=?[a-z0-9._*:[\]/-]{1,255})$/i;

function checkBypass(entries: readonly string[]): void {
  if (entries.length > MOST_HOSTS) {
    throw roundtripError('settings.invalid', { detail: `more than ${MOST_HOSTS} hosts to reach directly` });
  }
  const wrong = entries.find((entry) => !BYPASS_ENTRY.test(entry));
  if (wrong === undefined) return;
  const example = 'write it as corp.test, *.corp.test or 10.0.0.0/8';
  throw roundtripError('settings.invalid', {
    detail: `${JSON.stringify(withoutLogin(wrong))} is not a host for the bypass list (${example})`,
  });
}

/** As `request.host` has it: no port, no pattern, IPv6 without brackets. */
const AGENT_HOST = /^[a-z0-9._-]{1,255}$|^[0-9a-f:.]{2,45}$/;

/** A host that is not written as requests name it would never be allowed, and nothing would say why. */
function checkAgentHosts(hosts: readonly string[]): void {
  const wrong = hosts.find((host) => !AGENT_HOST.test(host));
  if (wrong === undefined) return;
  const detail = `${JSON.stringify(withoutLogin(wrong))} is not a host that agents can send to (write it as api.test)`;
  throw roundtripError('settings.invalid', { detail });
}

const NAME_OR_ADDRESS = /^(?:[a-z0-9._:-]{0,255})$/i;

function checkOverride({ host, proxy, address, serverName, clientCertificate }: HostOverride): void {
  const wrong = (what: string): Error =>
    roundtripError('settings.invalid', {
      detail: `in the rules for ${JSON.stringify(withoutLogin(host).slice(0, 255))}, ${what}`,
    });
  if (!HOST_PATTERN.test(host)) throw wrong('the host is not a host name (write it as api.test or *.test)');
  if (!NAME_OR_ADDRESS.test(address)) throw wrong('the address is neither an IP address nor a host name');
  if (!NAME_OR_ADDRESS.test(serverName)) throw wrong('the server name is not a host name');
  if (clientCertificate !== '' && !fs.existsSync(clientCertificate))
    throw wrong(`the client certificate ${clientCertificate} does not exist`);
  if (proxy === '' || proxy === 'direct') return;
  if (parseProxyAddress(proxy).password !== '')
    throw wrong('the proxy has a password: enter it in the login for proxies instead');
}

/** Refuses a PAC URL with a login: the settings file holds no secrets. */
function checkPac(place: string): void {
  if (urlWithoutLogin(place) === place) return;
  throw roundtripError('settings.invalid', {
    detail: "the PAC file's URL contains a login: use a URL that needs none",
  });
}

function checkCaFile(file: string): void {
  try {
    refuseLockedHere(file);
    const blocks = fs.readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (blocks === null) throw new Error('it contains no PEM certificate');
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    throw roundtripError('settings.invalid', { detail: `the upstream CA file ${file}: ${describe(error)}` });
  }
}

function checkLimits(limits: Settings['limits']): void {
  for (const [name, value] of Object.entries(limits)) {
    const problem = limitProblem(name, value);
    if (problem) throw roundtripError('settings.invalid', { detail: problem });
  }
}

/** `profiles`: those that will be in use. */
function checkThrottle(throttle: string, profiles: readonly CustomProfile[]): void {
  const names = [...NETWORK_PROFILE_NAMES, ...profiles.map(({ name }) => name)];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw roundtripError('settings.invalid', {
      detail: `two throttle profiles have the name ${JSON.stringify(twice)}`,
    });
  if (throttle === '' || names.includes(throttle)) return;
  const detail = `there is no throttle profile ${JSON.stringify(throttle)}: use one of ${names.join(', ')}`;
  throw roundtripError('settings.invalid', { detail });
}

function checkOtlp(otlp: Settings['otlp']): void {
  const problem = otlpProblem(otlp);
  if (problem !== null) throw roundtripError('settings.invalid', { detail: problem });
}

function checkFilter(query: string): void {
  const filter = compileFilter(query);
  if (filter.ok) return;
  const detail = `the filter ${JSON.stringify(query)}, which comparisons ignore: ${filter.problem.message}`;
  throw roundtripError('settings.invalid', { detail });
}

/**
 * Checks what the schema can't express. `current`: the settings in use, for what `settings` lacks. Throws
 * `proxy.bad-address` or `settings.invalid`.
 */
export function checkSettings(
  settings: Partial<Settings>,
  current: Pick<Settings, 'proxySource' | 'throttle' | 'throttleProfiles'> = DEFAULT_SETTINGS,
): void {
  const { upstreamProxy, passthroughHosts, upstreamCaFiles, proxyCaFiles, proxyBypass, hostOverrides } = settings;
  // Only the manual source needs an address; otherwise the system or a PAC file names the proxy.
  const needed = upstreamProxy?.enabled && (settings.proxySource ?? current.proxySource) === 'manual';
  if (upstreamProxy && (needed || upstreamProxy.url !== '')) parseProxyAddress(upstreamProxy.url);
  if (passthroughHosts) checkPassthroughHosts(passthroughHosts);
  if (proxyBypass) checkBypass(proxyBypass);
  if (settings.agentsSendTo) checkAgentHosts(settings.agentsSendTo);
  if (settings.proxyPac) checkPac(settings.proxyPac);
  if (settings.limits) checkLimits(settings.limits);
  if (settings.throttle !== undefined || settings.throttleProfiles)
    checkThrottle(settings.throttle ?? current.throttle, settings.throttleProfiles ?? current.throttleProfiles);
  if (settings.otlp) checkOtlp(settings.otlp);
  for (const query of settings.compareIgnored?.queries ?? []) checkFilter(query);
  for (const override of hostOverrides ?? []) checkOverride(override);
  for (const file of [...(upstreamCaFiles ?? []), ...(proxyCaFiles ?? [])]) checkCaFile(file);
}
