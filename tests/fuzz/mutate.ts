import type { Random } from './random.ts';

/** No input is longer: a framer's faults show within a few kilobytes. */
export const LONGEST = 4096;

type Mutation = (bytes: Buffer, random: Random, words: readonly Buffer[], other: Buffer) => Buffer;

function replaced(bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
}

/** A part of the bytes, mostly a short one. */
function part(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = random.below(bytes.length + 1);
  const most = Math.min(bytes.length - from, random.below(4) === 0 ? LONGEST : 16);
  return [from, from + random.below(most + 1)];
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const copy = Buffer.from(bytes);
    const at = random.below(copy.length || 1);
    if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  function setByte(bytes, random) {
    const at = random.below(bytes.length || 1);
    return replaced(bytes, at, at + 1, Uint8Array.of(random.below(256)));
  },
  function insertWord(bytes, random, words) {
    const at = random.below(bytes.length + 1);
    return replaced(bytes, at, at, random.pick(words));
  },
  function overwriteWithWord(bytes, random, words) {
    const [from, to] = part(bytes, random);
    return replaced(bytes, from, to, random.pick(words));
  },
  function remove(bytes, random) {
    const [from, to] = part(bytes, random);
    return replaced(bytes, from, to, new Uint8Array());
  },
  function repeat(bytes, random) {
    const [from, to] = part(bytes, random);
    return replaced(bytes, to, to, bytes.subarray(from, to));
  },
  function move(bytes, random) {
    const [from, to] = part(bytes, random);
    const at = random.below(bytes.length + 1);
    return replaced(bytes, at, at, bytes.subarray(from, to));
  },
  function splice(bytes, random, _words, other) {
    const [from, to] = part(other, random);
    const at = random.below(bytes.length + 1);
    return replaced(bytes, at, random.below(2) === 0 ? bytes.length : at, other.subarray(from, to));
  },
  function changeNumber(bytes, random) {
    const text = bytes.toString('latin1');
    const numbers = [...text.matchAll(/[0-9a-f]+/gi)];
    if (numbers.length === 0) return bytes;
    const { index, 0: old } = random.pick(numbers);
    const value = Number.parseInt(old, 16) + random.below(5) - 2;
    return replaced(bytes, index, index + old.length, Buffer.from(Math.max(value, 0).toString(16)));
  },
];

/** A new input derived from one: a few changes, with `words` that matter to the target and parts of `other`. */
export function mutate(bytes: Buffer, other: Buffer, words: readonly Buffer[], random: Random): Buffer {
  let result = bytes;
  for (let count = 1 + random.below(5); count > 0; count -= 1) {
    result = random.pick(MUTATIONS)(result, random, words, other);
  }
  return result.length > LONGEST ? result.subarray(0, LONGEST) : result;
}
