import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';

export type JsonPath = readonly (string | number)[];

/** Levels of lists and objects. Parser and checks recurse for each. */
const DEEPEST = 500;

/** Offset of the text's first bracket below the nesting limit, whether it is JSON or not; null: there is none. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += unit === '\\' ? 1 : 0;
    else if (unit === '[' || unit === '{') depth += 1;
    else if (unit === ']' || unit === '}') depth -= 1;
    if (depth > DEEPEST) return at;
  }
  return null;
}

/** A JSON text with the places of its values. */
export class JsonSource {
  readonly text: string;
  readonly errors: readonly ParseError[];
  /** Undefined: the text has no value, or is nested too deeply. */
  readonly root: Node | undefined;
  /** Offset of the first value that is nested too deeply; null: none is. */
  readonly tooDeepAt: number | null;

  constructor(text: string) {
    const errors: ParseError[] = [];
    this.text = text;
    this.tooDeepAt = tooDeepAt(text);
    this.root = this.tooDeepAt === null ? parseTree(text, errors, { disallowComments: true }) : undefined;
    this.errors = errors;
  }

  /** A fault at an offset, in UTF-16 units from the beginning. */
  fault(offset: number, message: string): RuleFault {
    const before = this.text.slice(0, offset);
    const lines = before.split(/\r\n|\r|\n/);
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, message };
  }

  /** A fault at the value of a path, or at the deepest value on the way to it that exists. */
  faultAt(path: JsonPath, message: string): RuleFault {
    return this.fault(this.#deepest(path)?.offset ?? 0, message);
  }

  /** A fault at the name of a field, where `faultAt` gives its value. */
  faultAtName(path: JsonPath, message: string): RuleFault {
    const value = this.#node(path);
    const name = value?.parent?.type === 'property' ? value.parent : this.#deepest(path);
    return this.fault(name?.offset ?? 0, message);
  }

  /** A fault inside a text. `index`: in UTF-16 units of the text's value, without quotes and escapes. */
  faultInText(path: JsonPath, index: number, message: string): RuleFault {
    const node = this.#node(path);
    if (node?.type !== 'string') return this.faultAt(path, message);
    let offset = node.offset + 1;
    for (let passed = 0; passed < index; passed++) offset += this.#unitLength(offset);
    return this.fault(offset, message);
  }

  /** How long one unit of a text is in its source: `a` 1, `\n` 2, `\u0041` 6. */
  #unitLength(offset: number): number {
    if (this.text[offset] !== '\\') return 1;
    return this.text[offset + 1] === 'u' ? 6 : 2;
  }

  #node(path: JsonPath): Node | undefined {
    return this.root && findNodeAtLocation(this.root, [...path]);
  }

  #deepest(path: JsonPath): Node | undefined {
    for (let length = path.length; length >= 0; length--) {
      const node = this.#node(path.slice(0, length));
      if (node) return node;
    }
    return undefined;
  }
}
