import { type Command, type Environment, type RunCommand, runCommand } from '../../run-command.ts';
import { REG } from '../../windows-tools.ts';
import { GNOME_COMMAND } from './gnome-proxy.ts';
import { isKde, kdeCommand } from './kde-proxy.ts';
import { MACOS_COMMAND } from './macos-proxy.ts';

interface Place {
  from: string;
  command: Command;
  /** Whether the command's output selects automatic detection. */
  says(output: string): boolean;
}

/** GNOME: the mode is automatic and no URL is set. */
const GNOME: Place = {
  from: "GNOME's network settings",
  command: GNOME_COMMAND,
  says: (output) =>
    /^org\.gnome\.system\.proxy mode 'auto'$/m.test(output) &&
    /^org\.gnome\.system\.proxy autoconfig-url ''$/m.test(output),
};

/** KDE: `KProtocolManager::WPADProxy`. */
function kde(env: Environment): Place {
  return {
    from: "KDE's network settings",
    command: kdeCommand(env),
    says: (output) => /^\[Proxy Settings\]$[^[]*^ProxyType=3$/m.test(output),
  };
}

const MACOS: Place = {
  from: "macOS's network settings",
  command: MACOS_COMMAND,
  says: (output) => /^\s{2}ProxyAutoDiscoveryEnable : 1$/m.test(output),
};

/** The flags follow a 32-bit version and a 32-bit counter; 8 is PROXY_TYPE_AUTO_DETECT (wininet.h). */
const WINDOWS: Place = {
  from: "Windows' internet settings",
  command: [
    REG,
    'query',
    'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Connections',
    '/v',
    'DefaultConnectionSettings',
  ],
  says: (output) => {
    const hex = /^\s+DefaultConnectionSettings\s+REG_BINARY\s+([0-9A-F]+)\s*$/im.exec(output)?.[1] ?? '';
    const bytes = Buffer.from(hex, 'hex');
    return bytes.length >= 12 && (bytes.readUInt32LE(8) & 8) !== 0;
  },
};

function placeOf(platform: NodeJS.Platform, env: Environment): Place | null {
  if (platform === 'darwin') return MACOS;
  if (platform === 'win32') return WINDOWS;
  if (platform !== 'linux' && platform !== 'freebsd') return null;
  return isKde(env) ? kde(env) : GNOME;
}

/** Names the settings that select WPAD, for the user; null if none do, or on an unknown desktop. Never rejects. */
export async function readAutoDetect(
  platform: NodeJS.Platform = process.platform,
  env: Environment = process.env,
  run: RunCommand = runCommand,
): Promise<string | null> {
  const place = placeOf(platform, env);
  if (!place) return null;
  const { status, stdout } = await run(place.command, env);
  return status === 0 && place.says(stdout.replaceAll('\r', '')) ? place.from : null;
}
