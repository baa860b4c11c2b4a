/**
 * Node 22 reports node:sqlite as experimental in each thread that loads it: eight lines on standard error of every
 * command. The functions in use have not changed since. Other warnings pass.
 */
const emitWarning = process.emitWarning;
process.emitWarning = ((warning: string | Error, ...more: []) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...more);
}) as typeof emitWarning;
