import * as v from 'valibot';
import { ComposedRequestSchema, RepeatPaceSchema } from '../../model/replay/composed-request.ts';
import { SavedRequestStateSchema, SavedRequestsSchema } from '../../model/replay/saved-requests.ts';
import { Count, Nothing, Session } from './request-parts.ts';

/** A recorded exchange whose request is sent. */
const ReplayOriginal = v.strictObject({ session: Session, exchange: Count });

/** Requests that send requests, and about the saved ones. */
export const REPLAY_REQUESTS = {
  /**
   * Sends a recorded request once more, as it was; returns the id of the new exchange, in the recorded session. Refused
   * with `replay.not-a-request`, `replay.body-not-kept` or `replay.body-cut-short`.
   */
  'replay.resend': { input: ReplayOriginal, output: v.object({ exchange: Count }) },
  /**
   * Sends a written request in the same way. `of`: the exchange that was edited, or null. Also refused with
   * `replay.bad-request`, `replay.file-unreadable` or `replay.unknown-variables`.
   */
  'replay.send': {
    input: v.strictObject({ of: v.nullable(ReplayOriginal), request: ComposedRequestSchema }),
    output: v.object({ exchange: Count }),
  },
  /**
   * Sends a request repeatedly; `request`: null for the recorded one. `replay.progress` reports it under the number
   * `run`. A window has one repetition at a time.
   */
  'replay.repeat': {
    input: v.strictObject({
      run: Count,
      of: ReplayOriginal,
      request: v.nullable(ComposedRequestSchema),
      pace: RepeatPaceSchema,
    }),
    output: Nothing,
  },
  /** Sends no further request of this window's repetition; those under way still end. */
  'replay.stop': { input: Nothing, output: Nothing },
  /** The saved requests and their variables, as their file holds them now. */
  'requests.get': { input: Nothing, output: SavedRequestStateSchema },
  /** Replaces all. Refused with `requests.unreadable`, `requests.changed-on-disk` or `requests.write-failed`. */
  'requests.update': { input: v.strictObject({ saved: SavedRequestsSchema }), output: SavedRequestStateSchema },
} as const;
