/** The body that the exchange of this id has: some are longer than a slab. */
export function bodyOf(id: number): Buffer {
  return Buffer.alloc(id % 50 === 0 ? 300_000 : 1000 + id, `body of ${id}; `);
}
