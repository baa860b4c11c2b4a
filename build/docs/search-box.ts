import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-index.ts';

const MAXIMUM = 12;

declare global {
  /** The index as JSON text. A script sets it, because a page from disk may not fetch a file. */
  var searchIndexText: string;
}

const index = MiniSearch.loadJSON(globalThis.searchIndexText, SEARCH_OPTIONS);
const input = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLElement>('#search-results');
const status = document.querySelector<HTMLElement>('#search-status');

function show(query: string): void {
  if (!list || !status) return;
  const hits = query === '' ? [] : index.search(query).slice(0, MAXIMUM);
  list.replaceChildren(...hits.map(({ id, title }) => resultRow(String(id), String(title))));
  list.hidden = hits.length === 0;
  status.textContent =
    query === '' ? '' : `${hits.length === 0 ? 'No' : hits.length} page${hits.length === 1 ? '' : 's'}`;
}

function resultRow(page: string, title: string): HTMLElement {
  const link = document.createElement('a');
  link.href = `${document.body.getAttribute('data-root') ?? ''}${page}`;
  link.textContent = title;
  const row = document.createElement('li');
  row.append(link);
  return row;
}

input?.addEventListener('input', () => show(input.value.trim()));
input?.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  list?.querySelector('a')?.click();
});
input?.form?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !input) return;
  input.value = '';
  show('');
  input.focus();
});
