/** The part of it that is used; it has no types. Each rejects with what is wrong. */
declare module 'har-validator' {
  export function har(data: unknown): Promise<unknown>;
  export function entry(data: unknown): Promise<unknown>;
}
