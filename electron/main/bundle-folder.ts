import path from 'node:path';

/** The folder of the app's bundles, which all have this code. */
export function bundleFolder(): string {
  return path.resolve(__dirname);
}
