import type { Environment } from '../run-command.ts';
import type { Browser } from './browsers.ts';

/** How a browser is started through the proxy. */
export interface LaunchOptions {
  browser: Pick<Browser, 'id' | 'name' | 'path'> & Partial<Browser>;
  /** `http://127.0.0.1:8080`. */
  proxyUrl: string;
  /** The CA's, as `CertificateAuthority` has it. */
  spkiHash: string;
  caPath: string;
  /** Profiles are made below it, unless the browser has a place of its own for them, one for each launch, and removed when the browser has ended. */
  dataFolder: string;
  /** Null: an empty page. */
  url: string | null;
  /** Put before the others: `--headless`. */
  extraArguments?: readonly string[];
  env?: Environment;
}
