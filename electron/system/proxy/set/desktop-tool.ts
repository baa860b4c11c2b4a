import { type Command, type CommandResult, lastWords } from '../../run-command.ts';
import type { PlatformContext } from './proxy-settings.ts';

/** The tool that reads and writes a desktop's settings. */
export class DesktopTool {
  readonly #name: string;
  readonly #context: PlatformContext;

  /** `name`: prefix of its error messages. */
  constructor(name: string, context: PlatformContext) {
    this.#name = name;
    this.#context = context;
  }

  /** Runs a command and returns its output. If it fails, throws an Error with the last line that it printed. */
  async must(command: Command): Promise<string> {
    const result = await this.try(command);
    if (result.status !== 0) throw new Error(`${this.#name}: ${lastWords(result)}`);
    return result.stdout;
  }

  /** Runs a command that may fail. */
  try(command: Command): Promise<CommandResult> {
    return this.#context.run(command, this.#context.env);
  }
}
