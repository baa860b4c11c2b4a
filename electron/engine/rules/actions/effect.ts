import type {
  Action,
  ActionName,
  Answer,
  ChangeRequest,
  ChangeResponse,
  MapTo,
} from '../../../../shared/model/rule/actions.ts';

/** What an action does to a message. An action may do several of these. */
export interface Effect {
  changeRequest?: ChangeRequest;
  mapTo?: MapTo;
  /** The response in place of upstream's. */
  answer?: Answer;
  changeResponse?: ChangeResponse;
}

/** The action decides when or how a message passes, not its content. A script's changes are known when it runs. */
const none = (): Effect => ({});

const EFFECTS: { [N in ActionName]: (of: Extract<Action, Record<N, unknown>>[N]) => Effect } = {
  answer: (answer) => ({ answer }),
  mapTo: (mapTo) => ({ mapTo }),
  changeRequest: (changeRequest) => ({ changeRequest }),
  changeResponse: (changeResponse) => ({ changeResponse }),
  delay: none,
  throttle: none,
  script: none,
  fail: none,
  break: none,
  mark: none,
};

/** The rule book plans it, and a trial shows it on a recorded exchange. */
export function effectOf(action: Action): Effect {
  // An action is an object with one key, its name. The compiler can't relate the name to its part of the union.
  const [[name, value] = []] = Object.entries(action);
  return (EFFECTS[name as ActionName] as (of: unknown) => Effect)(value);
}
