import type { TestProject } from 'vitest/node';
import { testCa } from './test-ca.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder with the CA of the engines that tests start. */
    engineCaFolder: string;
  }
}

/** One CA for the engines of a whole run: making an RSA key for each takes longer than most tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { folder, remove } = await testCa();
  project.provide('engineCaFolder', folder);
  return remove;
}
