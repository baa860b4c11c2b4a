import {
  Bot,
  Circle,
  CircleAlert,
  Download,
  FlaskConical,
  FolderOpen,
  Keyboard,
  Lock,
  type LucideIcon,
  Monitor,
  Moon,
  Network,
  Pause,
  Plug,
  Send,
  ShieldCheck,
  Sun,
  Trash2,
  WandSparkles as Wand,
  Zap,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { counted } from '../../../shared/format/counts.ts';
import type { Panel } from '../../state/window-state.ts';
import { ToolButton } from '../../ui/button.tsx';
import { nextTheme, toggleRecording, updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { clearSession } from '../edits/edit-actions.ts';
import { composeNew } from '../replay/replay-actions.ts';
import { ThrottleTool } from '../throttle/throttle-tool.tsx';
import { FilterBox } from './filter-box.tsx';
import { isHostKnown, Switch, WAITING } from './switch.tsx';
import { UpstreamTool } from './upstream-tool.tsx';

/** The icon of the current theme, not of the next one. */
const THEME_ICONS: Record<'system' | 'light' | 'dark', LucideIcon> = { system: Monitor, light: Sun, dark: Moon };

/** The bar at the top: recording, proxy switches, filter, dialogs and theme. */
export function Toolbar() {
  return (
    <header className="toolbar">
      <SessionTools />
      <span className="rule" />
      <ProxyTools />
      <FilterBox />
      <FileTools />
    </header>
  );
}

/** Shows Stopped, not Recording, while the session file can't be written: the setting alone would be misleading. */
function RecordingButton() {
  const app = useApp();
  const recording = useWindow((state) => state.settings.recording);
  const stopped = useWindow((state) => (state.engine?.recordingFailure ?? null) !== null);
  const known = useWindow(isHostKnown);
  if (!known)
    return (
      <ToolButton
        label="Recording: Starting"
        text="Starting"
        icon={Circle}
        disabled
        title={WAITING}
        onClick={() => {}}
      />
    );
  const running = recording && !stopped;
  const text = !recording ? 'Paused' : stopped ? 'Stopped' : 'Recording';
  const pause = stopped
    ? 'Can’t write to the session file. Click to pause recording.'
    : 'Recording. Click to pause; traffic is still forwarded.';
  return (
    <ToolButton
      // The name contains the visible text, as WCAG 2.5.3 (Label in Name) requires.
      label={running ? 'Recording' : `Recording: ${text}`}
      text={text}
      icon={recording ? (stopped ? CircleAlert : Circle) : Pause}
      pressed={recording}
      tone={running ? 'record' : 'paused'}
      title={recording ? pause : 'Paused. Click to record.'}
      onClick={() => toggleRecording(app)}
    />
  );
}

/** Recording and Clear. */
function SessionTools() {
  const app = useApp();
  // An opened session is read only.
  const others = useWindow((state) => state.shown !== null);
  return (
    <>
      <RecordingButton />
      <ToolButton
        label="Clear"
        icon={Trash2}
        iconOnly
        disabled={others}
        title={others ? 'Only the current recording can be cleared' : 'Clear the list (Ctrl+K)'}
        onClick={() => void clearSession(app)}
      />
    </>
  );
}

/**
 * Switches that change how traffic is handled. HTTP/2 is one button for two settings, client side and upstream side.
 */
function ProxyTools() {
  const app = useApp();
  const { intercept, http2Client, http2Upstream } = useWindow((state) => state.settings);
  // With one side off, the proxy would translate between versions: the button shows and sets both.
  const http2 = http2Client && http2Upstream;
  return (
    <>
      <Switch
        label="Interception"
        icon={Lock}
        pressed={intercept}
        title={
          intercept
            ? 'TLS is decrypted. Click to pass it through.'
            : 'TLS is passed through without decryption. Click to decrypt it.'
        }
        onClick={() => void updateSettings(app, { intercept: !intercept })}
      />
      <Switch
        label="HTTP/2"
        icon={Zap}
        pressed={http2}
        title={http2 ? 'HTTP/2 is offered on both sides' : 'Only HTTP/1.1 is offered'}
        onClick={() => void updateSettings(app, { http2Client: !http2, http2Upstream: !http2 })}
      />
      <UpstreamTool />
      <RulesTool />
      <ThrottleTool />
    </>
  );
}

/**
 * Opens the rules. Marked while rules are on: they change traffic, and a user who forgot them would blame the server.
 */
function RulesTool() {
  const used = useWindow(({ rules }) => rules?.rules.rules.filter(({ enabled }) => enabled).length ?? 0);
  return (
    <PanelTool
      panel="rules"
      label="Rules"
      icon={Wand}
      tone={used > 0 ? 'warn' : 'none'}
      title={
        used > 0
          ? `${counted(used, 'rule')} ${used === 1 ? 'is' : 'are'} on: traffic may be changed`
          : 'Change traffic: mock, map, edit, delay, fail'
      }
    />
  );
}

/** Switches between the list of exchanges and the connections. */
function ConnectionsTool() {
  const { store } = useApp();
  const open = useWindow((state) => state.connectionsOpen);
  return (
    <ToolButton
      label="Connections"
      icon={Network}
      iconOnly
      pressed={open}
      title={open ? 'Show the exchanges' : 'Show the connections that carried the exchanges'}
      onClick={() => store.setState({ connectionsOpen: !open })}
    />
  );
}

/** A button that only opens a dialog. */
function PanelTool({
  panel,
  ...tool
}: Omit<ComponentProps<typeof ToolButton>, 'onClick'> & { panel: NonNullable<Panel> }) {
  const { store } = useApp();
  return <ToolButton {...tool} onClick={() => store.setState({ panel })} />;
}

/** The dot says whether any store trusts the CA; there is none until the host has reported. */
function TrustTool() {
  const trusted = useWindow((state) => state.trusted);
  return (
    <PanelTool
      panel="trust"
      label="CA trust"
      icon={ShieldCheck}
      tone={trusted === null ? 'none' : trusted ? 'ok' : 'warn'}
      title={trusted ? 'The CA is trusted on this system' : 'The CA is not trusted on this system yet'}
    />
  );
}

/** A click goes through the themes. The title names the current one, which the icon alone may not show. */
function ThemeTool() {
  const app = useApp();
  const theme = useWindow((state) => state.settings.theme);
  return (
    <ToolButton
      label="Theme"
      icon={THEME_ICONS[theme]}
      iconOnly
      title={`Theme: ${theme}`}
      onClick={() => nextTheme(app)}
    />
  );
}

/** Dialogs and theme, in the order of a first use: files, traffic, trust, results. */
function FileTools() {
  const app = useApp();
  const lab = 'Lab: replay a page under other conditions and compare';
  return (
    <>
      <PanelTool
        panel="sessions"
        label="Sessions"
        icon={FolderOpen}
        iconOnly
        title="Sessions: open, name, duplicate, delete, import"
      />
      <ToolButton
        label="New request"
        icon={Send}
        iconOnly
        title="Compose and send a request (N)"
        onClick={() => composeNew(app)}
      />
      <PanelTool panel="connect" label="Connect" icon={Plug} title="Open a browser or terminal, or check a program" />
      <TrustTool />
      <PanelTool panel="export" label="Export" icon={Download} title="Export the session or a part of it" />
      <ConnectionsTool />
      <PanelTool panel="lab" label="Lab" icon={FlaskConical} iconOnly title={lab} />
      <PanelTool panel="agents" label="Agents and tracing" icon={Bot} iconOnly title="Agents and tracing" />
      <ThemeTool />
      <PanelTool panel="keys" label="Keyboard" icon={Keyboard} iconOnly title="Keyboard shortcuts (?)" />
    </>
  );
}
