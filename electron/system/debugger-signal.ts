/**
 * Node opens its inspector on SIGUSR1: any process of the same user, and any web page with DNS rebinding, could then
 * run code with access to the CA's key. A handler prevents this; older Nodes have no option for this.
 */
export function keepDebuggerShut(): void {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
