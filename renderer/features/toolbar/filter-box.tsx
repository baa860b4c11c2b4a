import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { QueryProblem } from '../../../shared/filter/query.ts';
import { IconButton } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { accepted, type Completion, completionsOf } from './completions.ts';

/** Id of the listbox, referenced by `aria-controls`. */
const LIST = 'filter-completions';

/**
 * The query, its completions and the keys. The focus stays in the input; the chosen option is named to screen readers.
 */
function useFilterBox() {
  const { store } = useApp();
  const query = useWindow((state) => state.query);
  const problem = useWindow((state) => state.queryProblem);
  const [focused, setFocused] = useState(false);
  const [chosen, setChosen] = useState(-1);
  // No list while the focus is elsewhere: it would cover the traffic.
  const options = focused ? completionsOf(query) : [];
  const wrong = problem !== null && !(problem.unfinished && focused);
  const setQuery = (text: string) => {
    // Another text has other options; none is selected: Enter and Tab keep their meaning.
    setChosen(-1);
    store.setState({ query: text });
  };
  const accept = (option: Completion | undefined) => option && setQuery(accepted(query, option));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, options.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, -1));
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen >= 0) accept(options[chosen]);
    else if (event.key === 'Escape') event.currentTarget.blur();
    else return;
    event.preventDefault();
  };
  return { query, setQuery, problem, wrong, options, chosen, accept, onKeyDown, setFocused };
}

/**
 * The filter input with completions, an ARIA combobox. A query that is merely unfinished is not marked as wrong while
 * the user types: only a hint says what is expected.
 */
export function FilterBox() {
  const { query, setQuery, problem, wrong, options, chosen, accept, onKeyDown, setFocused } = useFilterBox();
  return (
    <div className={wrong ? 'filter bad' : 'filter'}>
      <Search size={14} aria-hidden="true" />
      <input
        id="filter"
        type="text"
        role="combobox"
        aria-label="Filter"
        aria-expanded={options.length > 0}
        aria-invalid={wrong}
        aria-autocomplete="list"
        aria-controls={LIST}
        {...(chosen >= 0 ? { 'aria-activedescendant': `${LIST}-${chosen}` } : {})}
        placeholder="Filter: status:>=400 host:api ttfb:>200ms"
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      {query !== '' && <IconButton icon={X} label="Clear filter" onClick={() => setQuery('')} />}
      <div className="completions" hidden={options.length === 0 && !problem}>
        {problem && <Hint problem={problem} wrong={wrong} />}
        <Options options={options} chosen={chosen} accept={accept} />
      </div>
    </div>
  );
}

interface OptionsProps {
  options: readonly Completion[];
  /** Index; -1: none. */
  chosen: number;
  accept: (option: Completion) => void;
}

/** Always in the page, even without options: `aria-controls` has to name an element that exists. */
function Options({ options, chosen, accept }: OptionsProps) {
  return (
    <div id={LIST} role="listbox" aria-label="Completions">
      {options.map((option, index) => (
        <div
          key={option.insert}
          role="option"
          id={`${LIST}-${index}`}
          aria-selected={index === chosen}
          className="completion"
          // Not a click: the mouse button would blur the input first, which closes the list.
          onMouseDown={(event) => {
            event.preventDefault();
            accept(option);
          }}
        >
          <code>{option.insert}</code>
          <span>{option.about}</span>
        </div>
      ))}
    </div>
  );
}

/** The error with its position; for an unfinished query, what is expected next. */
function Hint({ problem, wrong }: { problem: QueryProblem; wrong: boolean }) {
  if (!wrong) return <p className="hint">{problem.message}</p>;
  return (
    <p role="alert">
      <span className="at">At {problem.position + 1}</span> {problem.message}
    </p>
  );
}
