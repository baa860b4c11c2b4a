import { keepDebuggerShut } from '../system/debugger-signal.ts';
import { runWatchdog } from '../system/proxy/set/watchdog.ts';
import { readWatchdogArguments } from '../system/proxy/set/watchdog-arguments.ts';

keepDebuggerShut();
const watched = readWatchdogArguments(process.argv.slice(2));
if (watched !== null) {
  runWatchdog(watched).catch(() => {
    process.exitCode = 1;
  });
}
