/** Which of an exchange's two bodies. */
export type BodySide = 'request' | 'response';
