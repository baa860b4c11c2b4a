import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useApp, useWindow } from '../../app-context.ts';
import { FindBar } from '../find-bar.tsx';
import { findInLines } from '../find-in-lines.ts';
import { colouredLine, type Language } from './coloured-line.tsx';
import { LineList } from './line-list.tsx';
import { textLines } from './text-lines.ts';

/**
 * Text with line numbers, colours and search. It has its own search because the browser's finds only the lines that are
 * rendered.
 */
export function TextView({ text, language }: { text: string; language: Language }) {
  const { store } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => textLines(text), [text]);
  // The gutter is as wide as the highest line number. The last piece of a split line has the number 0.
  const digits = String(lines.at(-1)?.number || lines.length).length;
  const find = useWindow((state) => state.find);
  // Deferred: typing stays responsive in a text of several megabytes, and the matches follow a moment later.
  const wanted = useDeferredValue(find ?? '');
  const found = useMemo(() => findInLines(lines, wanted), [lines, wanted]);
  // The step belongs to one search result: another text or query starts at its first match, without an effect.
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
