import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import { shellWord } from '../../system/launch/shell-word.ts';
import type { HostServices } from '../host-services.ts';

export function recentCommands({ clients, chooseProgram }: HostServices): OutputOf<'commands.recent'> {
  return { commands: clients.recent.list(), canChoose: chooseProgram !== null };
}

/** Returns an Electron app's path unquoted (`electronCommand` quotes it), and a command's path quoted for the shell. */
export async function chosenCommand(
  as: InputOf<'commands.choose'>['as'],
  { chooseProgram, info }: HostServices,
): Promise<OutputOf<'commands.choose'>> {
  const program = (await chooseProgram?.()) ?? null;
  return { command: program === null || as === 'electron' ? program : shellWord(program, info.platform) };
}
