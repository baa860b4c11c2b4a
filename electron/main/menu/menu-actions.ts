import type { PayloadOf } from '../../../shared/contract/events.ts';

/** What the menu's items do. */
export interface MenuActions {
  /** Runs a command in the window, as its button does. */
  command(command: PayloadOf<'app.command'>['command']): void;
  openSession(): void;
  openRecent(file: string): void;
  /** Lets the user choose a session file in which to continue recording. */
  recordInto(): void;
  installCommandLine(): void;
  checkForUpdates(): void;
  setLookForUpdates(on: boolean): void;
  copyDiagnostics(): void;
  reportProblem(): void;
  showLog(): void;
}

/** What the menu shows in addition to its items. */
export interface MenuState {
  /** Paths of session files, the newest first. */
  recent: readonly string[];
  lookForUpdates: boolean;
}
