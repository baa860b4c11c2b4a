interface Question {
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
}

interface UpdateOfferOptions {
  /** Whether a restart now would end a recording. */
  isRecording: () => boolean;
  /** Shows a message box. Resolves with the number of the button. */
  ask: (question: Question) => Promise<number>;
  restart: () => void;
}

function questionFor(version: string, recording: boolean): Question {
  const why = recording ? ' Roundtrip does not restart while it is recording.' : '';
  return {
    message: `Roundtrip ${version} is ready`,
    detail: `It will be installed when you quit.${why}`,
    buttons: recording ? ['When I quit'] : ['When I quit', 'Restart now'],
    defaultId: 0,
    cancelId: 0,
  };
}

/** Offers to restart for a downloaded version, but never during a recording. */
export class UpdateOffer {
  readonly #options: UpdateOfferOptions;
  #isOpen = false;

  constructor(options: UpdateOfferOptions) {
    this.#options = options;
  }

  /** Resolves once the user has answered. The daily check finds the same version again: one message at a time. */
  async show(version: string): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const restarts = await this.#ask(version).finally(() => {
      this.#isOpen = false;
    });
    if (restarts) this.#options.restart();
  }

  async #ask(version: string): Promise<boolean> {
    const { isRecording, ask } = this.#options;
    if ((await ask(questionFor(version, isRecording()))) === 0) return false;
    // A recording has begun while the message was open: the message appears again, with the reason.
    return isRecording() ? this.#ask(version) : true;
  }
}
