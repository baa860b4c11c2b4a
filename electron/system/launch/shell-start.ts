import path from 'node:path';
import { fishExports, posixExports } from './shell-exports.ts';
import { fishWord, posixWord } from './shell-word.ts';

/**
 * A user's start-up files may set a proxy and override the environment that the shell was given. Our own start-up files
 * therefore read the user's first and then set our variables again. bash(1), --rcfile; zsh(1), ZDOTDIR; fish(1),
 * --init-command.
 */
export interface ShellStart {
  /** Relative paths and contents, to be written into the script's folder. */
  files: Readonly<Record<string, string>>;
  /** Defines `interactive`, which runs the user's shell. */
  define: string;
}

const zshenv = (folder: string): string => `ZDOTDIR=$ROUNDTRIP_ZDOTDIR
[ -f "$ZDOTDIR/.zshenv" ] && . "$ZDOTDIR/.zshenv"
ROUNDTRIP_ZDOTDIR=$ZDOTDIR
ZDOTDIR=${folder}
`;

/** macOS's /etc/zshrc has already set the history file from ZDOTDIR. */
const zshrc = (folder: string, exports: string): string => `ZDOTDIR=$ROUNDTRIP_ZDOTDIR
unset ROUNDTRIP_ZDOTDIR
[ "$HISTFILE" = ${folder}/.zsh_history ] && HISTFILE="$ZDOTDIR/.zsh_history"
[ -f "$ZDOTDIR/.zshrc" ] && . "$ZDOTDIR/.zshrc"
${exports}
`;

/** `folder`: the script's own. If it is gone when the shell starts, the shell starts without our files. */
export function shellStart(variables: Readonly<Record<string, string>>, folder: string): ShellStart {
  const exports = posixExports(variables);
  const place = (name: string): string => posixWord(path.join(folder, name));
  const zsh = place('zsh');
  return {
    files: {
      bashrc: `[ -f ~/.bashrc ] && . ~/.bashrc\n${exports.join('\n')}\n`,
      'zsh/.zshenv': zshenv(zsh),
      'zsh/.zshrc': zshrc(zsh, exports.join('\n')),
      'start.fish': `${fishExports(variables).join('\n')}\n`,
    },
    define: `interactive() {
  [ -d ${posixWord(folder)} ] || { "\${SHELL:-/bin/sh}" -i; return; }
  case "\${SHELL##*/}" in
    bash) "$SHELL" --rcfile ${place('bashrc')} -i ;;
    zsh) ROUNDTRIP_ZDOTDIR="\${ZDOTDIR:-$HOME}" ZDOTDIR=${zsh} "$SHELL" -i ;;
    fish) "$SHELL" -i -C ${posixWord(`source ${fishWord(path.join(folder, 'start.fish'))}`)} ;;
    *) "\${SHELL:-/bin/sh}" -i ;;
  esac
}`,
  };
}
