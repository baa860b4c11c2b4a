export type Koffi = typeof import('koffi')['default'];
export type Library = ReturnType<Koffi['load']>;

/** The C library, which takes some milliseconds to load. Null: on other systems, or if it cannot be loaded. */
async function linuxLibrary(): Promise<{ library: Library; koffi: Koffi } | null> {
  if (process.platform !== 'linux') return null;
  try {
    const { default: koffi } = await import('koffi');
    return { library: koffi.load(null), koffi };
  } catch {
    return null;
  }
}

/** Calls functions of the C library. Resolves with null if there are none, or if `call` throws. */
export async function callLinux<R>(call: (library: Library, koffi: Koffi) => R): Promise<R | null> {
  const loaded = await linuxLibrary();
  try {
    return loaded && call(loaded.library, loaded.koffi);
  } catch {
    return null;
  }
}

/**
 * Binds functions of the C library at the first use. The result returns null until they are loaded, and `without` if
 * there are none.
 */
export function linuxCall<C>(bind: (library: Library, koffi: Koffi) => C, without: C): () => C | null {
  let call: C | null = process.platform === 'linux' ? null : without;
  let isLoading = false;
  const load = async (): Promise<void> => {
    call = (await callLinux(bind)) ?? without;
  };
  return () => {
    if (call === null && !isLoading) {
      isLoading = true;
      void load();
    }
    return call;
  };
}
