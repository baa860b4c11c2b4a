/**
 * Node opens its inspector on SIGUSR1: any process of the same user, and any web page by DNS rebinding, could then run
 * code with the CA's key at hand. A handler takes the signal away from the inspector; older Nodes have no option for it.
 */
export function keepDebuggerShut(): void {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
