import { shellWord } from '../launch/shell-word.ts';

/** Distinguishes our script from another program's. */
export const APP_IMAGE_MARK = 'Installed by Roundtrip';

/** An AppImage is mounted at a different folder on each start: its own program shows which. */
const START = [
  'const cli = require("node:path").join(process.execPath, "../resources/app.asar/dist/cli.cjs");',
  'process.argv.splice(1, 0, cli);',
  'process.argv.pop();',
  'require(cli);',
].join(' ');

/**
 * A shell script that runs the command line inside an AppImage. The AppImage's start script adds `--no-sandbox` in
 * front of all arguments where the system forbids user namespaces, unless it is among them; Node refuses it there, and
 * ignores it at the end.
 */
export function appImageScript(appImage: string): string {
  return [
    '#!/bin/sh',
    `# ${APP_IMAGE_MARK}: its command line, in the AppImage.`,
    `ELECTRON_RUN_AS_NODE=1 exec ${shellWord(appImage, 'linux')} -e '${START}' -- "$@" --no-sandbox`,
    '',
  ].join('\n');
}
