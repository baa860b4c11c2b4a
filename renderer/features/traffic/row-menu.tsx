import type { MouseEvent } from 'react';
import { websocatCommand } from '../../../shared/format/commands/websocat.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { manySelected } from '../../state/row-selection.ts';
import { showToast } from '../../state/window-state.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuItem, MenuOfItems } from '../../ui/menu-items.tsx';
import { type App, attempt, useApp } from '../app-context.ts';
import { markExchange, removeExchanges } from '../edits/edit-actions.ts';
import { readCurl } from '../inspector/read-curl.ts';
import { COPY_FORMS, type CopyForm, readSnippet } from '../replay/copy-as/copy-as.ts';
import { editAndResend, resend } from '../replay/replay-actions.ts';
import { queryFor, ROW_PRESETS, ruleOf } from '../rules/presets.ts';
import { recordedAnswer } from '../rules/recorded-answer.ts';
import { freeName } from '../rules/rule-words.ts';
import { filterTerm, withTerm } from './filter-terms.ts';

/** The row that a context menu belongs to, and where it opens. */
export interface MenuPlace {
  row: number;
  /** CSS pixels from the window's top left corner. */
  at: { x: number; y: number };
}

/**
 * Where a row's menu opens: at the pointer, or below the row if the keyboard opened it (the event is on the list then).
 * Null if the row is not rendered.
 */
export function menuPlace(row: number, event: MouseEvent): MenuPlace | null {
  const drawn = document.getElementById(`row-${row}`);
  if (drawn === null) return null;
  if (drawn.contains(event.target as Node)) return { row, at: { x: event.clientX, y: event.clientY } };
  const { left, bottom } = drawn.getBoundingClientRect();
  return { row, at: { x: left + 60, y: bottom } };
}

/** The context menu of an exchange: copy, filter and compare. */
export function RowMenu({ place, onClose }: { place: MenuPlace; onClose: () => void }) {
  const app = useApp();
  const row = app.table.row(place.row);
  if (!row) return null;
  return (
    <Menu
      label={`Exchange ${row.id}`}
      at={place.at}
      groups={[
        replays(app, row),
        copies(app, row),
        filters(app, row),
        rules(app, row),
        comparison(app, row),
        edits(app, row),
      ].filter((group) => group.length > 0)}
      onClose={onClose}
    />
  );
}

/** Items that send the request again. Only HTTP requests can be. */
function replays(app: App, row: ExchangeSummary): MenuItem[] {
  if (row.kind !== 'http' || row.method === 'CONNECT') return [];
  const of = { session: app.table.sessionId, exchange: row.id };
  return [
    { label: 'Resend', run: () => void resend(app, of) },
    { label: 'Edit and resend…', run: () => void editAndResend(app, of) },
    { label: 'Repeat…', run: () => app.store.setState({ panel: 'repeat', repeat: { of, request: null } }) },
  ];
}

/** URL and commands. A command needs the whole exchange, which the list does not have. */
function copies(app: App, row: ExchangeSummary): (MenuItem | MenuOfItems)[] {
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text);
    showToast(app.store, { tone: 'done', code: null, message: `${what} copied`, link: null });
  };
  const copyAs = (label: string, what: string, read: (exchange: Exchange) => Promise<string | null>): MenuItem => ({
    label,
    run: () =>
      void attempt(app, async () => {
        const exchange = await app.api.request('exchanges.get', { session: app.table.sessionId, id: row.id });
        const text = await read(exchange);
        if (text !== null) await copy(text, `${what} command`);
      }),
  });
  const forms = Object.entries(COPY_FORMS) as [CopyForm, string][];
  return [
    { label: 'Copy URL', run: () => void copy(urlOf(row), 'URL') },
    copyAs('Copy as cURL', 'cURL', (exchange) => readCurl(app, exchange)),
    ...(row.kind === 'upgrade'
      ? [copyAs('Copy as websocat', 'websocat', async ({ request }) => websocatCommand(request))]
      : row.kind === 'http'
        ? [
            {
              label: 'Copy as',
              items: forms.map(([form, name]) => copyAs(name, name, (of) => readSnippet(app, of, form))),
            },
          ]
        : []),
  ];
}

/** Items that add a term to the current query, or hide the host. A CONNECT has no path to filter by. */
function filters({ store }: App, row: ExchangeSummary): MenuItem[] {
  const ask = (label: string, term: string): MenuItem => ({
    label,
    run: () => store.setState(({ query }) => ({ query: withTerm(query, term) })),
  });
  const path = row.path.split('?', 1)[0] ?? '';
  const items = [
    ask(`Show only host ${row.authority}`, filterTerm('host', row.authority)),
    ask(`Hide host ${row.authority}`, `-${filterTerm('host', row.authority)}`),
  ];
  if (row.method !== 'CONNECT') items.push(ask(`Show only path ${path}`, filterTerm('path', path)));
  if (row.upstreamConnection > 0) {
    items.push(
      ask(`Show only connection ${row.upstreamConnection}`, filterTerm('connection', String(row.upstreamConnection))),
    );
  }
  return items;
}

/** Items that open a new rule with the query for requests like this one. */
function rules(app: App, row: ExchangeSummary): MenuOfItems[] {
  const { store } = app;
  const list = store.getState().rules?.rules.rules;
  // A tunnel that passes through has no request that a rule could change.
  if (!list || row.method === 'CONNECT') return [];
  const open = (rule: Rule) => {
    const name = freeName(`${rule.name} ${row.path.split('?', 1)[0]}`, list);
    store.setState({ panel: 'rules', ruleDraft: { replaces: null, rule: { ...rule, name } } });
  };
  const items = ROW_PRESETS.map((preset) => ({
    label: preset.label,
    run: () => open(ruleOf(preset, queryFor(row))),
  }));
  const copy = () => void recordedAnswer(app, row).then((rule) => rule && open(rule));
  // Only a final response can be given again.
  if (row.status >= 200) items.unshift({ label: 'Mock with this response', run: copy });
  return [{ label: 'New rule', items }];
}

/** Pins, marks and removes the row. */
function edits(app: App, row: ExchangeSummary): MenuItem[] {
  const { store } = app;
  const mark = app.table.edits.markOf(row.id);
  const many = manySelected(store.getState());
  return [
    {
      label: mark.pinned ? 'Unpin' : 'Pin to the top',
      run: () => void markExchange(app, row.id, { ...mark, pinned: !mark.pinned }),
    },
    { label: 'Colour and note…', run: () => store.setState({ panel: 'mark', marking: row.id }) },
    ...(many?.ids.has(row.id)
      ? [
          {
            label: `Export ${many.ids.size.toLocaleString('en')} rows…`,
            run: () => store.setState({ panel: 'export' }),
          },
          {
            label: `Remove ${many.ids.size.toLocaleString('en')} rows`,
            run: () => void removeExchanges(app, [...many.ids]),
          },
        ]
      : [{ label: 'Remove', run: () => void removeExchanges(app, [row.id]) }]),
  ];
}

/** Makes the row the base of comparisons, and opens the tab that shows them; or stops comparing. */
function comparison({ store, table: { sessionId: session } }: App, row: ExchangeSummary): MenuItem[] {
  const base = store.getState().compareWith;
  if (base?.id === row.id && base.session === session) {
    return [{ label: 'Stop comparing', run: () => store.setState({ compareWith: null }) }];
  }
  const compare = (tab: 'Timings' | 'Compare') => () =>
    store.setState({ compareWith: { session, id: row.id }, tab, inspecting: true });
  return [
    { label: 'Compare with this', run: compare('Compare') },
    { label: 'Compare timings with this', run: compare('Timings') },
  ];
}
