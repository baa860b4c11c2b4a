/** What a watchdog watches: the journal of a changed system proxy, and the process that changed it. */
export interface Watched {
  journal: string;
  pid: number;
}

/** The arguments at the end of a watchdog's command line. */
export function watchdogArguments({ journal, pid }: Watched): string[] {
  return ['--proxy-watchdog', `--journal=${journal}`, `--pid=${pid}`];
}

/** What a watchdog's command line names; null for any other command line. */
export function readWatchdogArguments(args: readonly string[]): Watched | null {
  const value = (name: string): string | undefined =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const [journal, pid] = [value('journal'), Number(value('pid'))];
  if (!args.includes('--proxy-watchdog') || !journal || !Number.isInteger(pid)) return null;
  return { journal, pid };
}
