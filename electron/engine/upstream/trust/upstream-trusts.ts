import type { HostOverride, Settings } from '../../../../shared/model/settings.ts';
import { readClientCertificate } from './client-certificate.ts';
import { type UpstreamTrust, upstreamTlsOptions } from './server-trust.ts';

type Wanted = Pick<Settings, 'upstreamCaFiles' | 'proxyCaFiles' | 'insecureUpstream'>;

function keyOf({ upstreamCaFiles, proxyCaFiles, insecureUpstream }: Wanted): string {
  return JSON.stringify([upstreamCaFiles, proxyCaFiles, insecureUpstream]);
}

/** The trust settings for certificates of origins, of hosts with their own rules, and of HTTPS proxies. */
export class UpstreamTrusts {
  #settings: Wanted;
  #trust: UpstreamTrust;
  /** Created on first use: a context takes 30 to 60 ms. */
  #ofProxies: UpstreamTrust | null = null;
  readonly #ofOverrides = new Map<string, UpstreamTrust>();

  /** Throws `settings.invalid`. */
  constructor(settings: Wanted) {
    this.#settings = settings;
    this.#trust = upstreamTlsOptions(settings);
  }

  /** Returns whether the trust changed. Throws `settings.invalid`, and then leaves everything unchanged. */
  apply(settings: Wanted): boolean {
    if (keyOf(settings) === keyOf(this.#settings)) return false;
    this.#trust = upstreamTlsOptions(settings);
    this.#settings = settings;
    this.#ofProxies = null;
    this.#ofOverrides.clear();
    return true;
  }

  /**
   * Trust for an origin; `override`: its host's own settings. Throws `settings.invalid` for an unusable client
   * certificate.
   */
  of(override: HostOverride | null): UpstreamTrust {
    if (!override) return this.#trust;
    const { minTls, skipVerification, clientCertificate } = override;
    if (minTls === '' && !skipVerification && clientCertificate === '') return this.#trust;
    const key = `${minTls} ${skipVerification} ${clientCertificate}`;
    let trust = this.#ofOverrides.get(key);
    if (!trust) {
      const { insecureUpstream } = this.#settings;
      const lenient = { ...this.#settings, insecureUpstream: insecureUpstream || skipVerification };
      const client = clientCertificate === '' ? null : readClientCertificate(clientCertificate);
      trust = upstreamTlsOptions(lenient, minTls === '' ? undefined : minTls, client);
      this.#ofOverrides.set(key, trust);
    }
    return trust;
  }

  /** `insecureUpstream` applies to origins only; a proxy receives passwords. */
  get ofProxies(): UpstreamTrust {
    const { upstreamCaFiles, proxyCaFiles } = this.#settings;
    const both = { upstreamCaFiles: [...upstreamCaFiles, ...proxyCaFiles], insecureUpstream: false };
    this.#ofProxies ??= upstreamTlsOptions(both);
    return this.#ofProxies;
  }
}
