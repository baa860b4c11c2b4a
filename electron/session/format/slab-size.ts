/** Large enough that a busy second needs few of them, small enough that a quiet one does not waste memory. */
export const SLAB_BYTES = 256 * 1024;
