/** The project files that each file imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

interface Visit {
  index: number;
  low: number;
  open: boolean;
}

/**
 * The groups of files that import each other, directly or not, each sorted by name (Tarjan's strongly connected
 * components). Type imports count: two files that need each other's types cannot be read, or moved, apart.
 */
export function importCycles(graph: ImportGraph): string[][] {
  const visits = new Map<string, Visit>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (file: string): Visit => {
    const own: Visit = { index: visits.size, low: visits.size, open: true };
    visits.set(file, own);
    stack.push(file);
    for (const imported of graph.get(file) ?? []) {
      const known = visits.get(imported);
      if (!known) own.low = Math.min(own.low, visit(imported).low);
      else if (known.open) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) closeGroup(file);
    return own;
  };

  const closeGroup = (first: string): void => {
    const group = stack.splice(stack.lastIndexOf(first));
    for (const file of group) {
      const known = visits.get(file);
      if (known) known.open = false;
    }
    const importsItself = group.length === 1 && graph.get(first)?.includes(first);
    if (group.length > 1 || importsItself) cycles.push(group.sort());
  };

  for (const file of graph.keys()) if (!visits.has(file)) visit(file);
  return cycles;
}
