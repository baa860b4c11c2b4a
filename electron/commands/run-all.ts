/**
 * Runs every step in order, whatever the ones before it did: what ends a host ends all of it. Rejects with the first
 * failure once the last step has run.
 */
export async function runAll(...steps: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
