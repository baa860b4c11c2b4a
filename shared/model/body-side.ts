/** Which of an exchange's two bodies. */
export type BodySide = 'request' | 'response';

/** A recorded body. `sent` and `received`: what went upstream and what came from there, if a rule edited the body. */
export type RecordedSide = BodySide | 'sent' | 'received';
