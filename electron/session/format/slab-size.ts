/** Bytes. Large enough that heavy traffic needs few slabs, small enough that light traffic wastes little memory. */
export const SLAB_BYTES = 256 * 1024;
