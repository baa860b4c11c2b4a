import { useEffect, useMemo, useState } from 'react';
import { languageOf } from './coloured-line.tsx';
import { HexView } from './hex-view.tsx';
import { prettyText } from './pretty-text.ts';
import { textOf } from './read-body.ts';
import { TextView } from './text-view.tsx';

/** `raw` is the body before content decoding, as it was sent. */
export type BodyForm = 'decoded' | 'hex' | 'raw';

interface BodyViewProps {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  /** All of the body has been read; an image is not drawn from a part. */
  whole: boolean;
  form: BodyForm;
}

/** A body as an image, formatted text or a hex dump, by its type. The raw form is never formatted. */
export function BodyView({ bytes, mediaType, whole, form }: BodyViewProps) {
  const text = useMemo(() => (form === 'hex' ? null : textOf(bytes)), [bytes, form]);
  const shown = useMemo(
    () => (text !== null && form === 'decoded' ? prettyText(text, mediaType) : text),
    [text, form, mediaType],
  );
  // SVG is drawn by <img>, which runs none of its scripts.
  if (form === 'decoded' && whole && mediaType.startsWith('image/')) {
    return <Picture bytes={bytes} mediaType={mediaType} />;
  }
  if (shown === null) return <HexView bytes={bytes} />;
  return <TextView text={shown} language={form === 'raw' ? 'plain' : languageOf(mediaType)} />;
}

/** An image from an object URL, with its size in pixels. The URL is revoked, or the browser would keep the bytes. */
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
        alt="Response body"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setSize('Can’t display this image. See Hex.')}
      />
      <figcaption>{size}</figcaption>
    </figure>
  );
}
