import { WINDOW_SCENARIOS } from '../window/window-scenarios.ts';
import { ACCURACY_SCENARIOS } from './accuracy-scenarios.ts';
import { BODY_SCENARIOS } from './body-scenarios.ts';
import { CONNECTION_SCENARIOS } from './connection-scenarios.ts';
import { LOAD_SCENARIOS } from './load-scenarios.ts';
import { PAGE_SCENARIOS } from './page-scenarios.ts';
import type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...LOAD_SCENARIOS,
  ...CONNECTION_SCENARIOS,
  ...BODY_SCENARIOS,
  ...PAGE_SCENARIOS,
  ...ACCURACY_SCENARIOS,
  ...WINDOW_SCENARIOS,
];

/** By name, or by how names begin: `page-` is all pages. Throws if there is none. */
export function scenariosNamed(names: readonly string[]): Scenario[] {
  return names.flatMap((name) => {
    const exact = SCENARIOS.filter((each) => each.name === name);
    const found = exact.length > 0 ? exact : SCENARIOS.filter((each) => each.name.startsWith(name));
    if (found.length > 0) return found;
    throw new Error(`${name} is not a scenario: ${SCENARIOS.map((each) => each.name).join(', ')}`);
  });
}
