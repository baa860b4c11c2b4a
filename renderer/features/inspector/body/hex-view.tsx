import { useRef } from 'react';
import { useWidth } from '../../../ui/use-size.ts';
import { hexRow } from './hex-dump.ts';
import { LineList } from './line-list.tsx';

/** CSS pixels that 16 bytes per row need; a narrower view has 8. */
const WIDE = 510;

/** A hex dump of any size; rows are made as they come into view. */
export function HexView({ bytes }: { bytes: Uint8Array }) {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller) >= WIDE ? 16 : 8;
  return (
    <div className="code-box">
      <LineList
        scroller={scroller}
        count={Math.ceil(bytes.length / width)}
        label="Body as hex"
        className="hex"
        line={(index) => {
          const row = hexRow(bytes, index, width);
          return (
            <code>
              <span className="offset">{row.offset}</span> {row.bytes} <span className="ascii">{row.text}</span>
            </code>
          );
        }}
      />
    </div>
  );
}
