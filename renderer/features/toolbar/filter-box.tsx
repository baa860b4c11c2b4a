import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { describeFields } from '../../../shared/filter/fields.ts';
import { useApp, useWindow } from '../app-context.ts';

const FIELDS = describeFields();

/** What could go on from the last word: fields by their beginning, then the field's own values. */
function completions(query: string): { insert: string; about: string }[] {
  const word = query.split(' ').at(-1) ?? '';
  const [name = '', value] = word.split(':', 2);
  if (value === undefined) {
    return FIELDS.filter((field) => field.name.startsWith(name.toLowerCase())).map((field) => ({
      insert: `${field.name}:`,
      about: `${field.about}, as in ${field.examples[0] ?? ''}`,
    }));
  }
  const field = FIELDS.find((known) => known.name === name);
  const values = field?.values.filter((known) => known.startsWith(value) && known !== value) ?? [];
  return values.map((known) => ({ insert: `${name}:${known} `, about: field?.about ?? '' }));
}

export function FilterBox() {
  const { store } = useApp();
  const query = useWindow((state) => state.query);
  const problem = useWindow((state) => state.queryProblem);
  const [focused, setFocused] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const options = focused ? completions(query).slice(0, 8) : [];
  const setQuery = (text: string) => {
    setChosen(-1);
    store.setState({ query: text });
  };
  const accept = (index: number) => {
    const option = options[index];
    if (option) setQuery(query.replace(/\S*$/, option.insert));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, options.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, -1));
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen >= 0) accept(chosen);
    else if (event.key === 'Escape') event.currentTarget.blur();
    else return;
    event.preventDefault();
  };
  return (
    <div className={problem ? 'filter bad' : 'filter'}>
      <Search size={14} aria-hidden="true" />
      <input
        id="filter"
        type="text"
        aria-label="Filter"
        aria-invalid={problem !== null}
        placeholder="Filter: text, status:>=400, host:api, ttfb:>200ms"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      {query !== '' && (
        <button type="button" className="copy" aria-label="Clear filter" onClick={() => setQuery('')}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
      {focused && (problem || options.length > 0) && (
        <div className="completions">
          {problem && (
            <p role="alert">
              <span className="at">At {problem.position + 1}</span> {problem.message}
            </p>
          )}
          {options.map((option, index) => (
            <button
              type="button"
              tabIndex={-1}
              key={option.insert}
              className={index === chosen ? 'chosen' : ''}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(index);
              }}
            >
              <code>{option.insert}</code>
              <span>{option.about}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
