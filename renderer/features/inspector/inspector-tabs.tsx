import { useEffect } from 'react';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { INSPECTOR_TABS, type InspectorTab } from '../../state/window-state.ts';
import { useRovingFocus } from '../../ui/use-roving-focus.ts';
import { useApp } from '../app-context.ts';

/** Only WebSockets and event streams have messages. */
function hasMessages({ kind, response }: Exchange): boolean {
  if (kind === 'upgrade') return true;
  return /^\s*text\/event-stream/i.test(firstHeader(response?.headers ?? [], 'content-type') ?? '');
}

/**
 * Few exchanges have messages, and at 1280 pixels there is no room for a tab that the others don't need. The chosen tab
 * stays when another exchange is selected, even one without messages.
 */
function shownTabs(exchange: Exchange | null, chosen: InspectorTab): readonly InspectorTab[] {
  if (chosen === 'Messages' || (exchange !== null && hasMessages(exchange))) return INSPECTOR_TABS;
  return INSPECTOR_TABS.filter((name) => name !== 'Messages');
}

/**
 * The tab list: one tab stop, in which the arrow keys select (WAI-ARIA Authoring Practices). Attempts has a dot if the
 * exchange has a failure, Rules if rules were applied: they explain what happened.
 */
export function InspectorTabs({ chosen, exchange }: { chosen: InspectorTab; exchange: Exchange | null }) {
  const { store } = useApp();
  const tabs = shownTabs(exchange, chosen);
  const roving = useRovingFocus(tabs.length, tabs.indexOf(chosen));
  const failed = exchange?.failure != null;
  const touched = (exchange?.rules.length ?? 0) > 0;
  // A narrow inspector scrolls its tabs; one selected by a number key may be out of view.
  useEffect(() => {
    document.getElementById(`tab-${chosen}`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [chosen]);
  const choose = (tab: InspectorTab | undefined) => tab && store.setState({ tab });
  return (
    <div className="tabs" role="tablist" aria-label="Exchange details">
      {tabs.map((name, index) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === chosen}
          aria-controls="inspector-panel"
          title={`${name} (${INSPECTOR_TABS.indexOf(name) + 1})`}
          {...roving.props(index)}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
          onKeyDown={(event) => choose(tabs[roving.onKeyDown(event) ?? -1])}
        >
          {name}
          {name === 'Attempts' && failed && <i className="dot bad" />}
          {name === 'Rules' && touched && <i className="dot rule-dot" />}
        </button>
      ))}
    </div>
  );
}
