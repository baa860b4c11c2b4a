/** What the app needs once its window is open, and the watchdog: one bundle, which `main.ts` loads then. */
export { runWatchdog } from '../system/proxy/set/watchdog.ts';
export { openDesktop, runDesktop, startProblem } from './desktop.ts';
