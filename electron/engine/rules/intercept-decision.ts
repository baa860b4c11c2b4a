import type { Settings } from '../../../shared/model/settings.ts';
import { type HostPattern, hostPattern, matchesHost } from './host-pattern.ts';

/** Decides for each tunnel whether TLS ends here. Built once for each change of the settings. */
export class InterceptDecision {
  readonly #intercept: boolean;
  readonly #passedThrough: HostPattern[];

  constructor(settings: Pick<Settings, 'intercept' | 'passthroughHosts'>) {
    this.#intercept = settings.intercept;
    this.#passedThrough = settings.passthroughHosts.map(hostPattern);
  }

  intercepts(host: string): boolean {
    return this.#intercept && !matchesHost(this.#passedThrough, host);
  }
}
