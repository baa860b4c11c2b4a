import type { Environment, install } from './install.ts';

/**
 * NODE_OPTIONS preloads this file into every Node program that is launched behind the proxy. Node 24.5 and 22.21 follow
 * the proxy variables themselves (NODE_USE_ENV_PROXY); there, only this file runs. It is built for Node 12: a syntax
 * error here would end the user's program.
 */
function followsProxyVariables(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

function start(version: string, env: Environment): void {
  if (env.NODE_USE_ENV_PROXY !== '1' || followsProxyVariables(version)) return;
  // `require` instead of `import`: the bundle runs this module, which loads http and tls, only when it gets here.
  const later: { install: typeof install } = require('./install.ts');
  later.install(env);
}

start(process.versions.node, process.env);
