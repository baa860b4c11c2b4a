import { useMemo, useRef } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { colouredLine, type Language } from './coloured-line.tsx';
import { LineList } from './line-list.tsx';
import { textLines } from './text-lines.ts';

export function TextView({ text, language }: { text: string; language: Language }) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => textLines(text), [text]);
  const digits = String(lines.at(-1)?.number || lines.length).length;
  return (
    <div className="code-box">
      <CopyButton text={text} label="Copy body" />
      <LineList
        scroller={scroller}
        count={lines.length}
        label="Body"
        className="text"
        line={(index) => {
          const line = lines[index];
          return (
            line && (
              <>
                <span className="line-number" style={{ width: `${digits + 2}ch` }}>
                  {line.number || ''}
                </span>
                <code>{colouredLine(line.text, language)}</code>
              </>
            )
          );
        }}
      />
    </div>
  );
}
