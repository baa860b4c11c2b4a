import path from 'node:path';
import { posixExports } from './shell-exports.ts';
import type { ShellStart } from './shell-start.ts';
import { posixWord as quoted } from './shell-word.ts';

/** A URL to fetch, and the URL that reports it if that fails. */
export interface TerminalCheck {
  url: string;
  otherwise: string | null;
}

/** What a terminal runs. */
export interface TerminalScript {
  /** Added to the environment of the terminal. */
  variables: Readonly<Record<string, string>>;
  /** Requests that prove that the terminal's programs are captured and trust our CA. */
  checks: readonly TerminalCheck[];
  /** One line, run before the shell once the user has pressed Enter; null: only the shell. */
  command: string | null;
  /** The working folder at the start. */
  workingFolder: string;
}

/** File in the script's folder with the exit code of the command, or of the shell if there is none. */
export const EXIT_CODE_FILE = 'exit-code';

/** A shell's exit code after SIGINT: reported for a command that the user did not confirm. */
const INTERRUPTED = 130;

const GREETING = 'Programs in this terminal go through Roundtrip.';
const QUESTION = 'Press Enter to run it, Ctrl+C to cancel.';

function posixCommand(command: string): string {
  return `printf '%s\\n\\n  %s\\n\\n%s ' ${quoted(GREETING)} ${quoted(command)} ${quoted(QUESTION)}
read -r answer || exit ${INTERRUPTED}
trap : INT
"\${SHELL:-/bin/sh}" -c ${quoted(command)}
code=$?
ended "$code"
printf '\\nIt ended with exit code %s.\\n' "$code"
interactive`;
}

/**
 * A terminal's server may have been started long ago, with another environment: therefore the script itself sets the
 * variables. The shell stays open after a command to keep its output readable. `folder`: the script's own, which may be
 * gone by then.
 */
export function posixScript(
  { variables, checks, command, workingFolder }: TerminalScript,
  folder: string,
  { define }: ShellStart,
): string {
  const curl = (url: string): string => `curl -sf -o /dev/null --max-time 10 ${quoted(url)}`;
  const fetches = checks.map(({ url, otherwise }) =>
    [url, otherwise]
      .filter((one) => one !== null)
      .map(curl)
      .join(' || '),
  );
  const file = quoted(path.join(folder, EXIT_CODE_FILE));
  const shell = `echo ${quoted(GREETING)}\ntrap : INT\ninteractive\nended $?`;
  return `#!/bin/sh
ended() { { echo "$1" >${file}.new && mv ${file}.new ${file}; } 2>/dev/null; }
trap 'ended ${INTERRUPTED}; exit ${INTERRUPTED}' HUP INT TERM
${define}
${posixExports(variables).join('\n')}
cd ${quoted(workingFolder)} || cd
if command -v curl >/dev/null; then { :; ${fetches.map((one) => `${one}; `).join('')}} & fi
${command === null ? shell : posixCommand(command)}
`;
}

/** Next to `windowsScript`: the command, which the script reads as text: no character is special to the script. */
export const WINDOWS_COMMAND_FILE = 'command.txt';

/**
 * For cmd.exe. A FOR variable is put in after a line was taken apart (`for /?`), which passes the command to its own
 * cmd.exe unchanged.
 */
export function windowsScript({ variables, checks, command }: TerminalScript): string {
  const sets = Object.entries(variables).map(([name, value]) => `set "${name}=${value.replaceAll('%', '%%')}"`);
  const curl = (url: string): string => `curl.exe -sf -o NUL --max-time 10 --ssl-no-revoke "${url}"`;
  const fetches = checks.map(({ url, otherwise }) =>
    [url, otherwise]
      .filter((one) => one !== null)
      .map(curl)
      .join(' || '),
  );
  const run = [
    'echo.',
    `type "%~dp0${WINDOWS_COMMAND_FILE}"`,
    `set /p "ANSWER=${QUESTION} "`,
    `for /f "usebackq delims=" %%c in ("%~dp0${WINDOWS_COMMAND_FILE}") do cmd /d /s /c "%%c"`,
    `>"%~dp0${EXIT_CODE_FILE}" echo %errorlevel%`,
  ];
  const lines = ['@echo off', 'chcp 65001 >nul', ...sets, ...fetches, `echo ${GREETING}`];
  return `${[...lines, ...(command === null ? [] : run)].join('\r\n')}\r\n`;
}
