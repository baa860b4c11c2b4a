/**
 * The script environment, as JavaScript: the console, and the objects of docs/script.d.ts. It runs before the script,
 * in its own file, which keeps the script's line numbers.
 */
export const PRELUDE = `'use strict';
(() => {
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value.stack ? value + '\\n' + value.stack : value);
    try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
  };
  const lines = [];
  const MOST_LINES = 200;
  const write = (level) => (...values) => {
    if (lines.length < MOST_LINES) lines.push({ level, text: values.map(show).join(' ').slice(0, 4000) });
  };
  const levels = ['log', 'info', 'warn', 'error', 'debug'];
  globalThis.console = Object.fromEntries(levels.map((level) => [level, write(level)]));

  class Headers {
    #list;
    constructor(list) { this.#list = list.map(([name, value]) => [String(name), String(value)]); }
    get(name) { return this.getAll(name)[0] ?? null; }
    getAll(name) {
      const wanted = String(name).toLowerCase();
      return this.#list.filter(([each]) => each.toLowerCase() === wanted).map(([, value]) => value);
    }
    has(name) { return this.getAll(name).length > 0; }
    set(name, value) {
      const wanted = String(name).toLowerCase();
      const at = this.#list.findIndex(([each]) => each.toLowerCase() === wanted);
      if (at < 0) { this.add(name, value); return; }
      this.#list[at][1] = String(value);
      this.#list = this.#list.filter(([each], index) => index <= at || each.toLowerCase() !== wanted);
    }
    add(name, value) { this.#list.push([String(name), String(value)]); }
    remove(name) {
      const wanted = String(name).toLowerCase();
      this.#list = this.#list.filter(([each]) => each.toLowerCase() !== wanted);
    }
    [Symbol.iterator]() { return this.#list.map((field) => [...field])[Symbol.iterator](); }
    toJSON() { return this.#list; }
  }

  class Message {
    constructor({ headers, ...rest }) { Object.assign(this, rest); if (headers) this.headers = new Headers(headers); }
    json() { return JSON.parse(this.body); }
  }

  const answerOf = (value) => {
    if (value === undefined || value === null) return null;
    if (typeof value !== 'object') {
      throw new TypeError('onRequest must return nothing or a response, not a ' + typeof value);
    }
    const { status = 200, headers = [], body = '' } = value;
    const list = headers instanceof Headers || Array.isArray(headers) ? [...headers] : Object.entries(headers);
    return { status, headers: list, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };
  const textOf = (body) => (body === null || typeof body === 'string' ? body : JSON.stringify(body));
  const plain = (message) => {
    if (message === null) return null;
    const { body, headers } = message;
    const fields = headers instanceof Headers ? headers : Array.isArray(headers) ? headers : Object.entries(headers);
    return { ...message, headers: fields, body: textOf(body) };
  };

  const NOTHING = { response: null, answer: null, message: null };
  let outcome = null;
  const run = async (handler, input) => {
    const request = new Message(input.request);
    const response = input.response ? new Message(input.response) : null;
    const context = { rule: input.rule };
    if (input.message) {
      const message = new Message(input.message);
      const returned = await handler(message, request, context);
      if (returned !== undefined && returned !== 'drop') throw new TypeError("onMessage must return nothing or 'drop'");
      const passed = returned === 'drop' ? null : { body: textOf(message.body) };
      return { ...NOTHING, request: input.request, message: passed };
    }
    const returned = await (response ? handler(response, request, context) : handler(request, context));
    const answer = response ? null : answerOf(returned);
    return { ...NOTHING, request: plain(request), response: plain(response), answer };
  };
  const failed = (error) => {
    const thrown = error instanceof Error ? error : { name: 'Error', message: show(error), stack: '' };
    outcome = { error: { name: thrown.name, message: thrown.message, stack: String(thrown.stack) } };
  };
  globalThis.__roundtrip = {
    begin: (handler, text) => {
      outcome = null;
      run(handler, JSON.parse(text)).then((output) => { outcome = { output }; }, failed);
    },
    end: () => JSON.stringify({ ...outcome, console: lines.splice(0) }),
  };
})();
`;
