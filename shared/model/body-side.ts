/** Which of an exchange's two bodies. */
export type BodySide = 'request' | 'response';

/**
 * A body on record. `sent` and `received`: what went upstream and what came from there, where a rule edited the body.
 */
export type RecordedSide = BodySide | 'sent' | 'received';
