import { type ReactNode, useMemo } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Past this many characters colour costs more than it tells. */
const MOST_COLOURED = 200_000;
const JSON_PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(JSON_PARTS)) {
    const [whole, string, colon, word] = match;
    const kind = string ? (colon ? 'key' : 'string') : word ? 'word' : 'number';
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} className={`c-${kind}`}>
        {string ?? whole}
      </span>,
      colon,
    );
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

export function CodeText({ text, json }: { text: string; json: boolean }) {
  const content = useMemo(() => (json && text.length < MOST_COLOURED ? coloured(text) : text), [text, json]);
  return (
    <div className="code-box">
      <CopyButton text={text} label="Copy body" />
      <pre className="code">{content}</pre>
    </div>
  );
}
