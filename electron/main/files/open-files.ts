import { app } from 'electron';

/** Opens files that come from outside the window: arguments, a second launch, the desktop, Open… */
export class FileOpener {
  #openNow: ((file: string) => void) | null = null;
  #waiting: string[] = [];

  /** macOS passes files before the app is ready. */
  constructor() {
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.open([file]);
    });
  }

  /** Opens the files received so far, and from now on each at once. */
  serve(openNow: (file: string) => void): void {
    this.#openNow = openNow;
    this.open(this.#waiting.splice(0));
  }

  open(files: readonly string[]): void {
    if (this.#openNow === null) this.#waiting.push(...files);
    else for (const file of files) this.#openNow(file);
  }
}
