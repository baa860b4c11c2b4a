import type { ComponentType } from 'react';
import type { Panel } from '../state/window-state.ts';
import { AgentsDialog } from './agents/agents-dialog.tsx';
import { IgnoredDialog } from './compare/ignored-dialog.tsx';
import { ConnectDialog } from './connect/connect-dialog.tsx';
import { MarkDialog } from './edits/mark-dialog.tsx';
import { ExportDialog } from './export/export-dialog.tsx';
import { LabDialog } from './lab/lab-dialog.tsx';
import { ComposeDialog } from './replay/compose-dialog.tsx';
import { RepeatDialog } from './replay/repeat/repeat-dialog.tsx';
import { RulesDialog } from './rules/rules-dialog.tsx';
import { SessionsDialog } from './sessions/sessions-dialog.tsx';
import { UpstreamProxyDialog } from './settings/upstream-proxy-dialog.tsx';
import { ShortcutsDialog } from './shortcuts/shortcuts-dialog.tsx';
import { ThrottleDialog } from './throttle/throttle-dialog.tsx';
import { TrustDialog } from './trust/trust-dialog.tsx';

/** One dialog at a time: `panel` names it. */
const DIALOGS: Record<NonNullable<Panel>, ComponentType> = {
  connect: ConnectDialog,
  trust: TrustDialog,
  export: ExportDialog,
  proxy: UpstreamProxyDialog,
  rules: RulesDialog,
  throttle: ThrottleDialog,
  mark: MarkDialog,
  ignored: IgnoredDialog,
  lab: LabDialog,
  agents: AgentsDialog,
  compose: ComposeDialog,
  repeat: RepeatDialog,
  sessions: SessionsDialog,
  keys: ShortcutsDialog,
};

/** The open dialog. */
export function PanelDialog({ panel }: { panel: NonNullable<Panel> }) {
  const Dialog = DIALOGS[panel];
  return <Dialog />;
}
