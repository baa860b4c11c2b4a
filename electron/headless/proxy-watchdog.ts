import { readWatchdogArguments, runWatchdog } from '../system/proxy/watchdog.ts';

const watched = readWatchdogArguments(process.argv.slice(2));
if (watched !== null) {
  runWatchdog(watched).catch(() => {
    process.exitCode = 1;
  });
}
