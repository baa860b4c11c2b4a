import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { curlCommand } from '../../../shared/format/curl.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import { BodyTab } from './body-tab.tsx';
import { ConnectionTab } from './connection-tab.tsx';
import { HeadersTab } from './headers-tab.tsx';
import { readCurlBody } from './read-body.ts';
import { Splitter } from './splitter.tsx';
import { TimingsTab } from './timings-tab.tsx';
import { useExchange } from './use-exchange.ts';

const TABS: Record<string, (exchange: Exchange) => ReactNode> = {
  Headers: (exchange) => <HeadersTab exchange={exchange} />,
  Request: (exchange) => <BodyTab key={`${exchange.id}q`} exchange={exchange} side="request" />,
  Response: (exchange) => <BodyTab key={`${exchange.id}s`} exchange={exchange} side="response" />,
  Timings: (exchange) => <TimingsTab exchange={exchange} />,
  Connection: (exchange) => <ConnectionTab exchange={exchange} />,
  Attempts: (exchange) => <AttemptsTab exchange={exchange} />,
};

export function Inspector() {
  const app = useApp();
  const id = useWindow((state) => state.selected) ?? 0;
  const exchange = useExchange(id);
  const [tab, setTab] = useState('Headers');
  const close = () => app.store.setState({ inspecting: false });
  return (
    <Splitter label="Inspector">
      <div className="inspector-head">
        <div className="tabs" role="tablist">
          {Object.keys(TABS).map((name) => (
            <button key={name} type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
              {name === 'Attempts' && exchange?.failure && <i className="dot bad" />}
            </button>
          ))}
        </div>
        {exchange && (
          <CopyButton
            text={async () => curlCommand(exchange, await readCurlBody(app.api, exchange))}
            label="Copy as cURL"
          />
        )}
        <button type="button" className="copy" aria-label="Close inspector" onClick={close}>
          <X size={15} aria-hidden="true" />
        </button>
      </div>
      <div className="inspector-body" role="tabpanel" aria-label={tab}>
        {exchange ? TABS[tab]?.(exchange) : <p className="muted pad">Reading the exchange</p>}
      </div>
    </Splitter>
  );
}
