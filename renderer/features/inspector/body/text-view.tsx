import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useApp, useWindow } from '../../app-context.ts';
import { FindBar } from '../find-bar.tsx';
import { findInLines } from '../find-in-lines.ts';
import { colouredLine, type Language } from './coloured-line.tsx';
import { LineList } from './line-list.tsx';
import { type TextLine, textLines } from './text-lines.ts';

/** The search in the text. Its words belong to the window and stay for the next body. */
function useFind(lines: readonly TextLine[]) {
  const find = useWindow((state) => state.find);
  // Deferred: typing stays responsive in a text of several megabytes, and the matches follow a moment later.
  const wanted = useDeferredValue(find ?? '');
  const found = useMemo(() => findInLines(lines, wanted), [lines, wanted]);
  // The step belongs to one text and query; another starts at its first match, without an effect. It does not belong to
  // one result: right after typing, that is still the result of the query before.
  const [step, setStep] = useState({ lines, find, at: 0 });
  const isSame = step.lines === lines && step.find === find;
  const at = isSame ? Math.max(0, Math.min(step.at, found.places.length - 1)) : 0;
  return { find, found, at, go: (next: number) => setStep({ lines, find, at: next }) };
}

function TextTools({ text }: { text: string }) {
  const { store } = useApp();
  return (
    <div className="code-tools">
      <IconButton
        icon={Search}
        size={13}
        label="Find in body"
        title="Find in body (Ctrl+F)"
        onClick={() => store.setState({ find: '' })}
      />
      <CopyButton text={text} label="Copy body" />
    </div>
  );
}

/**
 * Text with line numbers, colours and search. It has its own search because the browser's finds only the lines that are
 * rendered.
 */
export function TextView({ text, language }: { text: string; language: Language }) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => textLines(text), [text]);
  // The gutter is as wide as the highest line number. The last piece of a split line has the number 0.
  const digits = String(lines.at(-1)?.number || lines.length).length;
  const { find, found, at, go } = useFind(lines);
  return (
    <div className="code-box">
      {find === null ? (
        <TextTools text={text} />
      ) : (
        <FindBar text={find} found={found} at={at} go={go} leaveTo={() => scroller.current?.focus()} />
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
