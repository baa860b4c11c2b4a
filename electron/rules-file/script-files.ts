import fs from 'node:fs/promises';
import type { RuleList } from '../../shared/model/rule/rule.ts';

/** Differs after a change of a file that holds a script. The paths of `rules` are absolute. */
export async function scriptFilesState({ rules }: RuleList): Promise<string> {
  const files = rules.flatMap((rule) =>
    rule.do.flatMap((action) => ('script' in action && action.script.file !== undefined ? [action.script.file] : [])),
  );
  const states = files.map(async (file) => {
    const stats = await fs.stat(file).catch(() => null);
    return stats === null ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  });
  return (await Promise.all(states)).join(', ');
}
