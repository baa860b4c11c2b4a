import os from 'node:os';
import { app, clipboard, dialog, shell } from 'electron';
import type { Host } from '../../commands/host.ts';
import { NEW_ISSUE } from '../project-links.ts';
import type { AppLog } from './app-log.ts';

/**
 * Versions, the engine's state and the newest lines of the log. Of the settings only the switches: no hosts, no logins.
 */
function diagnostics(host: Host, log: AppLog): string {
  const { electron, chrome, node } = process.versions;
  const { state, failure, memory, lost } = host.runtime.status();
  const settings = Object.entries(host.settings.shown()).filter(([, value]) => typeof value === 'boolean');
  const switches = settings.map(([name, value]) => `${name}=${value}`).join(' ');
  return [
    `Roundtrip ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    `${os.type()} ${os.release()} ${os.arch()}`,
    `Engine: ${state}${failure ? `, ${failure.code}` : ''}, ${Math.round(memory / 1024 / 1024)} MB, ${lost} lost`,
    `Settings: ${switches}`,
    '',
    log.recent(),
  ].join('\n');
}

export function copyDiagnostics(host: Host, log: AppLog): void {
  clipboard.writeText(diagnostics(host, log));
}

/** Opens the issue tracker, with the diagnostics on the clipboard: they are sent only if the user pastes them. */
export async function reportProblem(host: Host, log: AppLog): Promise<void> {
  copyDiagnostics(host, log);
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message: 'Diagnostics are on the clipboard',
    detail: 'They contain versions, settings and the log, but no traffic. Paste them into the report if they help.',
    buttons: ['Open the issue tracker', 'Cancel'],
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(NEW_ISSUE);
}
