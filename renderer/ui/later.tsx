import { type ComponentType, useEffect, useState } from 'react';

/** A component whose script is loaded later. */
export interface Later<P> {
  /** Draws nothing until the script is loaded. A script that can't be loaded is a fault of this part. */
  Part: ComponentType<P>;
  /** Loads the script ahead of time. */
  load: () => Promise<void>;
}

/**
 * React's `lazy` shows its fallback for up to 300 ms even if the script is already loaded. This draws the part at once
 * then.
 */
export function later<P extends object>(importPart: () => Promise<ComponentType<P>>): Later<P> {
  let known: ComponentType<P> | null = null;
  const load = async () => {
    known ??= await importPart();
  };
  function Part(props: P) {
    const [state, setState] = useState<{ loaded: ComponentType<P> | null; error: unknown }>({
      loaded: known,
      error: null,
    });
    const isMissing = state.loaded === null;
    useEffect(() => {
      let isShown = true;
      const show = (error: unknown) => isShown && setState({ loaded: known, error });
      if (isMissing) void load().then(() => show(null), show);
      return () => {
        isShown = false;
      };
    }, [isMissing]);
    if (state.error !== null) throw state.error;
    return state.loaded && <state.loaded {...props} />;
  }
  return { Part, load };
}
