import { counted } from '../../../../shared/format/counts.ts';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import { EDIT_SIZE, type MessageEdit, type MessageEdits } from '../../../../shared/model/rule/message-edits.ts';
import { hexRow } from '../body/hex-dump.ts';
import { prettyText } from '../body/pretty-text.ts';
import { bytesOf, textOf } from '../body/read-body.ts';
import { Diff } from '../compare/diff.tsx';

/** Bytes a line of a message that is not text. */
const WIDTH = 16;

/** Text, JSON line by line, or a hex dump. */
function linesOf(base64: string | null): string[] {
  if (base64 === null) return [];
  const bytes = bytesOf(base64);
  const text = textOf(bytes);
  if (text !== null) return prettyText(text, 'application/json').split('\n');
  return Array.from({ length: Math.ceil(bytes.length / WIDTH) }, (_, index) => {
    const { offset, bytes: hex, text: ascii } = hexRow(bytes, index, WIDTH);
    return `${offset}  ${hex}  ${ascii}`;
  });
}

function titleOf({ direction, after, cut }: MessageEdit, number: number): string {
  const where = direction === 'to-server' ? 'to the server' : 'to the client';
  const how = after === null ? 'dropped' : 'as it arrived, and as it was sent';
  return `Changed message ${number}, ${where}: ${how}${cut ? ` (the first ${formatBytes(EDIT_SIZE)})` : ''}`;
}

/** What rules changed in the messages of a stream: as each arrived, compared with what was sent. */
export function EditedMessages({ edits: { kept, total } }: { edits: MessageEdits }) {
  const left = total - kept.length;
  return (
    <>
      {kept.map((edit, index) => (
        <Diff
          key={`${edit.at} ${edit.direction}`}
          title={titleOf(edit, index + 1)}
          before={linesOf(edit.before)}
          after={linesOf(edit.after)}
        />
      ))}
      {left > 0 && (
        <p className="pad muted">
          {counted(left, 'more changed message')}, of which only the new version was recorded.
        </p>
      )}
    </>
  );
}
