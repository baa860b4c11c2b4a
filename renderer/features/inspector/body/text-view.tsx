import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useApp, useWindow } from '../../app-context.ts';
import { FindBar } from '../find-bar.tsx';
import { findInLines } from '../find-in-lines.ts';
import { colouredLine, type Language } from './coloured-line.tsx';
import { LineList } from './line-list.tsx';
import { textLines } from './text-lines.ts';

export function TextView({ text, language }: { text: string; language: Language }) {
  const { store } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => textLines(text), [text]);
  const digits = String(lines.at(-1)?.number || lines.length).length;
  const find = useWindow((state) => state.find);
  // Typing stays quick in a text of some megabytes: what is found may be a moment behind.
  const wanted = useDeferredValue(find ?? '');
  const found = useMemo(() => findInLines(lines, wanted), [lines, wanted]);
  const [step, setStep] = useState({ found, at: 0 });
  const at = step.found === found ? step.at : 0;
  return (
    <div className="code-box">
      {find === null ? (
        <div className="code-tools">
          <button
            type="button"
            className="copy"
            aria-label="Find in body"
            title="Find in body (Ctrl+F)"
            onClick={() => store.setState({ find: '' })}
          >
            <Search size={13} aria-hidden="true" />
          </button>
          <CopyButton text={text} label="Copy body" />
        </div>
      ) : (
        <FindBar
          text={find}
          found={found}
          at={at}
          go={(next) => setStep({ found, at: next })}
          leaveTo={() => scroller.current?.focus()}
        />
      )}
      <LineList
        scroller={scroller}
        count={lines.length}
        label="Body"
        className="text"
        inSight={found.places[at]}
        line={(index) => {
          const line = lines[index];
          return (
            line && (
              <>
                <span className="line-number" style={{ width: `${digits + 2}ch` }}>
                  {line.number || ''}
                </span>
                <code>{colouredLine(line.text, language, found.marks.get(index), at)}</code>
              </>
            )
          );
        }}
      />
    </div>
  );
}
