import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { urlWithoutLogin } from '../../../shared/format/proxy-url.ts';
import { limitProblem } from '../../../shared/model/limits.ts';
import type { HostOverride, Settings } from '../../../shared/model/settings.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { parseProxyAddress } from './proxy-address.ts';

const HOST_PATTERN = /^[a-z0-9._*:[\]-]{1,255}$/i;
const MOST_HOSTS = 1000;

function checkPassthroughHosts(hosts: readonly string[]): void {
  if (hosts.length > MOST_HOSTS) {
    throw roundtripError('settings.invalid', { detail: `more than ${MOST_HOSTS} hosts to pass through` });
  }
  const wrong = hosts.find((host) => !HOST_PATTERN.test(host));
  if (wrong === undefined) return;
  const detail = `${JSON.stringify(wrong)} is no host name to pass through (write it as api.test or *.test)`;
  throw roundtripError('settings.invalid', { detail });
}

const BYPASS_ENTRY = /^(?:<local>|=?[a-z0-9._*:[\]/-]{1,255})$/i;

function checkBypass(entries: readonly string[]): void {
  if (entries.length > MOST_HOSTS) {
    throw roundtripError('settings.invalid', { detail: `more than ${MOST_HOSTS} hosts that go without a proxy` });
  }
  const wrong = entries.find((entry) => !BYPASS_ENTRY.test(entry));
  if (wrong === undefined) return;
  const detail = `${JSON.stringify(wrong)} names no host that goes without a proxy (write it as corp.test, *.corp.test or 10.0.0.0/8)`;
  throw roundtripError('settings.invalid', { detail });
}

const NAME_OR_ADDRESS = /^(?:[a-z0-9._:-]{0,255})$/i;

function checkOverride({ host, proxy, address, serverName, clientCertificate }: HostOverride): void {
  const wrong = (what: string): Error =>
    roundtripError('settings.invalid', { detail: `in the rules for ${JSON.stringify(host.slice(0, 255))}, ${what}` });
  if (!HOST_PATTERN.test(host)) throw wrong('the host is no host name (write it as api.test or *.test)');
  if (!NAME_OR_ADDRESS.test(address)) throw wrong('the address is neither an IP address nor a host name');
  if (!NAME_OR_ADDRESS.test(serverName)) throw wrong('the server name is no host name');
  if (clientCertificate !== '' && !fs.existsSync(clientCertificate))
    throw wrong(`there is no client certificate ${clientCertificate}`);
  if (proxy === '' || proxy === 'direct') return;
  if (parseProxyAddress(proxy).password !== '')
    throw wrong('the proxy has a password: put it into the login for proxies');
}

/** It would stand in the settings file, which holds no secrets. */
function checkPac(place: string): void {
  if (urlWithoutLogin(place) === place) return;
  throw roundtripError('settings.invalid', { detail: "the PAC file's URL has a login: name one that needs none" });
}

function checkCaFile(file: string): void {
  try {
    const blocks = fs.readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (blocks === null) throw new Error('it holds no certificate in PEM');
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

/** What the schema can't say about settings. `source`: the one in force where they name none. Throws `proxy.bad-address` or `settings.invalid`. */
export function checkSettings(settings: Partial<Settings>, source: Settings['proxySource'] = 'manual'): void {
  const { upstreamProxy, passthroughHosts, upstreamCaFiles, proxyCaFiles, proxyBypass, hostOverrides } = settings;
  // The address is the manual one's: where the system or a PAC file says which proxy, there need be none.
  const needed = upstreamProxy?.enabled && (settings.proxySource ?? source) === 'manual';
  if (upstreamProxy && (needed || upstreamProxy.url !== '')) parseProxyAddress(upstreamProxy.url);
  if (passthroughHosts) checkPassthroughHosts(passthroughHosts);
  if (proxyBypass) checkBypass(proxyBypass);
  if (settings.proxyPac) checkPac(settings.proxyPac);
  if (settings.limits) checkLimits(settings.limits);
  for (const override of hostOverrides ?? []) checkOverride(override);
  for (const file of [...(upstreamCaFiles ?? []), ...(proxyCaFiles ?? [])]) checkCaFile(file);
}
