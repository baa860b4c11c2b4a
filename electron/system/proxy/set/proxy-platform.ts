import { findProgram } from '../../run-command.ts';
import { isKde } from '../read/kde-proxy.ts';
import { GnomeProxy } from './gnome-proxy.ts';
import { findKwriteconfig, KdeProxy } from './kde-proxy.ts';
import { MacosProxy } from './macos-proxy.ts';
import type { PlatformContext, ProxyPlatform } from './proxy-settings.ts';
import { WindowsProxy } from './windows-proxy.ts';

/** Desktops whose programs follow GNOME's setting. */
const LIKE_GNOME = /gnome|unity|cinnamon|budgie|pantheon|ubuntu/i;

/** How to set this desktop's proxy; a sentence if that is unknown. `platform`: Node's `process.platform`. */
export function proxyPlatform(context: PlatformContext, platform: string): ProxyPlatform | string {
  if (platform === 'darwin') return new MacosProxy(context);
  if (platform === 'win32') return new WindowsProxy(context);
  if (isKde(context.env)) {
    const program = findKwriteconfig(context.env);
    if (program !== null) return new KdeProxy(context, program);
    return 'kwriteconfig is missing: install libkf6config-bin, or libkf5config-bin on Plasma 5';
  }
  const desktop = context.env.XDG_CURRENT_DESKTOP ?? '';
  if (!LIKE_GNOME.test(desktop)) {
    const which = desktop === '' ? 'this session has no desktop' : `${desktop} stores its proxy differently`;
    return `${which}: start programs from here, or set their proxy by hand`;
  }
  if (findProgram('gsettings', context.env) === null) return 'gsettings is missing: install libglib2.0-bin';
  return new GnomeProxy(context);
}
