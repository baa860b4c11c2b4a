import { Choice } from '../../ui/choice.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { ApprovedHosts } from './approved-hosts.tsx';
import { TracingSection } from './tracing-section.tsx';

/** The other users of the recording: agents, and a tracing backend. */
export function AgentsDialog() {
  const app = useApp();
  return (
    <Dialog title="Agents and tracing" onClose={() => app.store.setState({ panel: null })}>
      <AgentsSection />
      <TracingSection />
    </Dialog>
  );
}

/** How an agent gets the tools, and whether it may change traffic. */
function AgentsSection() {
  const app = useApp();
  const mayWrite = useWindow((state) => state.settings.agentsMayWrite);
  return (
    <PanelSection title="Agents">
      <p>
        Coding agents read what Roundtrip records through the Model Context Protocol (MCP). Secrets are left out. Set
        this up as a server command in your agent:
      </p>
      <CopyLine text="roundtrip mcp" label="Copy the server command" />
      <Choice
        label="Let agents change traffic"
        hint="They add rules that expire and are listed apart from yours, and send requests to hosts that you approve."
        checked={mayWrite}
        set={(agentsMayWrite) => void updateSettings(app, { agentsMayWrite })}
      />
      {mayWrite && <ApprovedHosts />}
    </PanelSection>
  );
}
