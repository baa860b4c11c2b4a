import { useEffect, useMemo, useState } from 'react';
import { languageOf } from './coloured-line.tsx';
import { HexView } from './hex-view.tsx';
import { prettyText } from './pretty-text.ts';
import { textOf } from './read-body.ts';
import { TextView } from './text-view.tsx';

export type BodyForm = 'decoded' | 'hex' | 'raw';

interface BodyViewProps {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  whole: boolean;
  form: BodyForm;
}

/** A body by its type: picture, text set out to be read, or hex. Raw is never set out. */
export function BodyView({ bytes, mediaType, whole, form }: BodyViewProps) {
  const text = useMemo(() => (form === 'hex' ? null : textOf(bytes)), [bytes, form]);
  const shown = useMemo(
    () => (text !== null && form === 'decoded' ? prettyText(text, mediaType) : text),
    [text, form, mediaType],
  );
  if (form === 'decoded' && whole && mediaType.startsWith('image/')) {
    return <Picture bytes={bytes} mediaType={mediaType} />;
  }
  if (shown === null) return <HexView bytes={bytes} />;
  return <TextView text={shown} language={form === 'raw' ? 'plain' : languageOf(mediaType)} />;
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
        onError={() => setSize('This is no picture that can be shown; see Hex.')}
      />
      <figcaption>{size}</figcaption>
    </figure>
  );
}
