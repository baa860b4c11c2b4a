import type { Break } from '../../../../shared/model/rule/actions.ts';

/** A breakpoint that an exchange has reached. */
export interface Hold {
  /** The rule's name. */
  rule: string;
  /** Milliseconds; null: until the message is released. */
  autoContinueMs: number | null;
}

export function holdOf(rule: string, { autoContinueMs }: Break): Hold {
  return { rule, autoContinueMs: autoContinueMs ?? null };
}
