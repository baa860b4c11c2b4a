/**
 * Runs every step in order, even if an earlier one fails: shutting down a host must shut down all of it. Rejects with
 * the first failure once the last step has run.
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
