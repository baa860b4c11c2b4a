import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useApp } from '../app-context.ts';
import type { Found } from './find-in-lines.ts';

interface FindBarProps {
  /** The search text; empty finds nothing. */
  text: string;
  found: Found;
  /** The selected match, from 0. */
  at: number;
  go: (at: number) => void;
  /** Moves the focus when the bar closes; it would be lost otherwise. */
  leaveTo: () => void;
}

/**
 * Search in the shown body. The search text stays when another exchange is selected, to look for it in each of them.
 */
export function FindBar({ text, found, at, go, leaveTo }: FindBarProps) {
  const { store } = useApp();
  const input = useRef<HTMLInputElement>(null);
  // Typing replaces the text of the last search.
  useEffect(() => input.current?.select(), []);
  const count = found.places.length;
  // Wraps around at both ends.
  const step = (by: number) => count > 0 && go((at + by + count) % count);
  const close = () => {
    store.setState({ find: null });
    leaveTo();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <search className="find-bar">
      <input
        ref={input}
        id="find"
        type="text"
        aria-label="Find in body"
        placeholder="Find"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => store.setState({ find: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <Matches text={text} found={found} at={at} />
      <IconButton icon={ChevronUp} label="Previous match" title="Previous (Shift+Enter)" onClick={() => step(-1)} />
      <IconButton icon={ChevronDown} label="Next match" title="Next (Enter)" onClick={() => step(1)} />
      <IconButton icon={X} label="Close find" title="Close (Escape)" onClick={close} />
    </search>
  );
}

/** Which match is selected. An `output` element, which screen readers read when it changes. */
function Matches({ text, found, at }: Pick<FindBarProps, 'text' | 'found' | 'at'>) {
  const count = found.places.length;
  // Counting stops at a limit; the plus says that there are more.
  const many = `${count.toLocaleString('en')}${found.cut ? '+' : ''}`;
  return (
    <output className={text !== '' && count === 0 ? 'none' : ''}>
      {text === '' ? '' : count === 0 ? 'Not found' : `${(at + 1).toLocaleString('en')} of ${many}`}
    </output>
  );
}
