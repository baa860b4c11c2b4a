import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Reply {
  id?: number;
  result?: { result?: { value?: unknown }; exceptionDetails?: { exception?: { description?: string } } };
}

/**
 * A page of a packaged app over the DevTools protocol. Its fuses refuse `--inspect`, which Playwright's Electron driver
 * needs, and Electron refuses the browser contexts that its CDP driver needs.
 */
export class DevtoolsPage {
  readonly #socket: WebSocket;
  #calls = 0;

  /** `browserUrl`: the `ws:` address that the app prints under `--remote-debugging-port`. Waits for the page. */
  static async connect(browserUrl: string, pageUrl: string): Promise<DevtoolsPage> {
    const list = `http://${new URL(browserUrl).host}/json/list`;
    for (;;) {
      const targets: { url: string; webSocketDebuggerUrl: string }[] = await (await fetch(list)).json();
      const target = targets.find(({ url }) => url.startsWith(pageUrl));
      if (target) return await DevtoolsPage.#open(target.webSocketDebuggerUrl, pageUrl);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  static async #open(url: string, pageUrl: string): Promise<DevtoolsPage> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const page = new DevtoolsPage(socket);
    // A target has its address before its page has: until then it is the one before, with a frame that goes away.
    const here = `location.href.startsWith(${JSON.stringify(pageUrl)}) && document.readyState === 'complete'`;
    while ((await page.evaluate(here)) !== true) await new Promise((resolve) => setTimeout(resolve, 50));
    return page;
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** The value of an expression; a promise is awaited. Rejects with what the page throws. */
  async evaluate(expression: string): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const answered = new Promise<Reply>((resolve, reject) => {
      // A page that closes sends no more replies.
      const closed = () => reject(new Error('the page is gone'));
      this.#socket.once('close', closed);
      const heard = (data: Buffer) => {
        const reply: Reply = JSON.parse(data.toString());
        if (reply.id !== id) return;
        this.#socket.off('message', heard).off('close', closed);
        resolve(reply);
      };
      this.#socket.on('message', heard);
    });
    const params = { expression, awaitPromise: true, returnByValue: true };
    this.#socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    const { result } = await answered;
    // No result at all: the page was navigating and had no context yet (about:blank gives way to the app).
    if (result === undefined) return this.evaluate(expression);
    if (result?.exceptionDetails) throw new Error(result.exceptionDetails.exception?.description);
    return result?.result?.value;
  }

  close(): void {
    this.#socket.close();
  }
}
