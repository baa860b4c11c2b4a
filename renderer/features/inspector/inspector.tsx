import { SquareTerminal, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { InspectorTab } from '../../state/window-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { ReplayStrip } from '../replay/replay-strip.tsx';
import { StatusMark } from '../traffic/status-mark.tsx';
import { RefusalNotice } from '../trust/refusal-notice.tsx';
import { AttemptsTab } from './attempts-tab.tsx';
import { BodyTab } from './body/body-tab.tsx';
import { CompareTab } from './compare/compare-tab.tsx';
import { ConnectionTab } from './connection-tab.tsx';
import { HeadersTab } from './headers-tab.tsx';
import { InspectorTabs } from './inspector-tabs.tsx';
import { MessagesTab } from './messages/messages-tab.tsx';
import { readCurl } from './read-curl.ts';
import { RulesTab } from './rules-tab.tsx';
import { Splitter } from './splitter.tsx';
import { TimingsTab } from './timings-tab.tsx';
import { TraceLink } from './trace-link.tsx';
import { useExchange } from './use-exchange.ts';

// The keys reset a tab's state (form, scroll position, selected message) when another exchange is selected.
const CONTENTS: Record<InspectorTab, (exchange: Exchange) => ReactNode> = {
  Headers: (exchange) => <HeadersTab exchange={exchange} />,
  Request: (exchange) => <BodyTab key={`${exchange.id}q`} exchange={exchange} side="request" />,
  Response: (exchange) => <BodyTab key={`${exchange.id}s`} exchange={exchange} side="response" />,
  Timings: (exchange) => <TimingsTab exchange={exchange} />,
  Connection: (exchange) => <ConnectionTab exchange={exchange} />,
  Attempts: (exchange) => <AttemptsTab exchange={exchange} />,
  Messages: (exchange) => <MessagesTab key={exchange.id} exchange={exchange} />,
  Compare: (exchange) => <CompareTab exchange={exchange} />,
  Rules: (exchange) => <RulesTab exchange={exchange} />,
};

/** Details of the selected exchange in tabs. Shown right of the list while an exchange is inspected. */
export function Inspector() {
  const id = useWindow((state) => state.selected) ?? 0;
  const tab = useWindow((state) => state.tab);
  const exchange = useExchange(id);
  return (
    <Splitter label="Inspector">
      <Title exchange={exchange} />
      {/* The tab stays when another exchange is selected: it is window state, not the inspector's. */}
      <InspectorTabs chosen={tab} exchange={exchange} />
      {exchange && <RefusalNotice exchange={exchange} />}
      {exchange?.replayOf && <ReplayStrip key={exchange.id} exchange={exchange} of={exchange.replayOf} />}
      <div
        className="inspector-body"
        role="tabpanel"
        id="inspector-panel"
        aria-labelledby={`tab-${tab}`}
        // What scrolls must be focusable: see line-list.tsx.
        tabIndex={0}
      >
        {exchange ? CONTENTS[tab](exchange) : <p className="muted pad">Loading exchange…</p>}
      </div>
    </Splitter>
  );
}

/** The exchange's status, method and URL, above all tabs. */
function Title({ exchange }: { exchange: Exchange | null }) {
  const app = useApp();
  const url = exchange ? urlOf(exchange.request) : '';
  return (
    <div className="inspector-title">
      {exchange && (
        <>
          <StatusMark
            row={{
              state: exchange.state,
              status: exchange.response?.status ?? 0,
              failureCode: exchange.failure?.code ?? null,
            }}
          />
          <b>{exchange.request.method}</b>
          <span className="url" title={url}>
            {/* The path of a CONNECT repeats the authority. */}
            {exchange.request.authority}
            <span>{exchange.request.method === 'CONNECT' ? '' : exchange.request.path}</span>
          </span>
          <TraceLink exchange={exchange} />
          <CopyButton icon={SquareTerminal} text={() => readCurl(app, exchange)} label="Copy as cURL" />
        </>
      )}
      <IconButton
        icon={X}
        size={15}
        label="Close inspector"
        title="Close (Escape in the list)"
        onClick={() => app.store.setState({ inspecting: false })}
      />
    </div>
  );
}
