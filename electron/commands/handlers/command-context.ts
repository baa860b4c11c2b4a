import type { HostServices } from '../host-services.ts';
import type { Window, Windows } from '../windows.ts';

/** The window that sent a request, and the services that handle it. */
export interface CommandContext {
  host: HostServices;
  windows: Windows;
  window: Window;
}
