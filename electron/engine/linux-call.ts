type Library = ReturnType<typeof import('koffi')['default']['load']>;

/**
 * Binds functions of the C library. They are loaded at the first use, which takes some milliseconds, once. The result
 * returns null until then, and `without` if there are none: on other systems, or if they cannot be loaded.
 */
export function linuxCall<C>(bind: (library: Library) => C, without: C): () => C | null {
  let call: C | null = process.platform === 'linux' ? null : without;
  let isLoading = false;
  const load = async (): Promise<void> => {
    try {
      call = bind((await import('koffi')).default.load(null));
    } catch {
      call = without;
    }
  };
  return () => {
    if (call === null && !isLoading) {
      isLoading = true;
      void load();
    }
    return call;
  };
}
