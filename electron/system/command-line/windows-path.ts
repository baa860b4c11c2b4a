import type { Command, Environment } from '../run-command.ts';
import { powershell } from '../windows-tools.ts';

/**
 * Adds a folder to the user's PATH in the registry, unless it is there. `setx` cuts values at 1024 characters, and
 * .NET's SetEnvironmentVariable would expand variables in the other entries. Setting any variable through .NET notifies
 * running programs of the change (WM_SETTINGCHANGE), which the registry's API does not.
 */
export function addToPath(folder: string, env: Environment): Command {
  const quoted = folder.replaceAll("'", "''");
  const script = [
    "$ErrorActionPreference = 'Stop'",
    "$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')",
    "$path = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')",
    `if (($path -split ';') -notcontains '${quoted}') {`,
    `  $next = (@($path -split ';' | Where-Object { $_ }) + '${quoted}') -join ';'`,
    "  $key.SetValue('Path', $next, 'ExpandString')",
    "  [Environment]::SetEnvironmentVariable('ROUNDTRIP_PATH_CHANGED', $null, 'User')",
    '}',
  ].join('\n');
  return [powershell(env), '-NoProfile', '-NonInteractive', '-Command', script];
}
