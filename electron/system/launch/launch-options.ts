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
  /** Each launch gets a profile below it, unless the browser has its own place; removed when the browser has ended. */
  dataFolder: string;
  /** Null: an empty page. */
  url: string | null;
  /** Inserted before the others, such as `--headless`. */
  extraArguments?: readonly string[];
  env?: Environment;
}
