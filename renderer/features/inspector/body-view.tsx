import { useEffect, useMemo, useState } from 'react';
import { CodeText } from './code-text.tsx';
import { hexDump } from './hex-dump.ts';
import { prettyText } from './pretty-text.ts';
import { textOf } from './read-body.ts';

interface BodyViewProps {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  whole: boolean;
  raw: boolean;
}

/** A body by its type: picture, text set out to be read, or hex. Raw is never set out. */
export function BodyView({ bytes, mediaType, whole, raw }: BodyViewProps) {
  const text = useMemo(() => textOf(bytes), [bytes]);
  if (!raw && whole && mediaType.startsWith('image/')) return <Picture bytes={bytes} mediaType={mediaType} />;
  if (text === null) return <pre className="code hex">{hexDump(bytes)}</pre>;
  return <CodeText text={raw ? text : prettyText(text, mediaType)} json={!raw && /json$/.test(mediaType)} />;
}

function Picture({ bytes, mediaType }: { bytes: Uint8Array<ArrayBuffer>; mediaType: string }) {
  const [url, setUrl] = useState('');
  const [size, setSize] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  if (url === '') return null;
  return (
    <figure className="picture">
      <img
        src={url}
        alt="The response"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setSize('This is no picture that can be shown; see Raw.')}
      />
      <figcaption>{size}</figcaption>
    </figure>
  );
}
