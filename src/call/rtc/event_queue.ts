import { untilAborted } from "../../base/values/mod.ts";

/** What has arrived and was not taken yet, in order, and how it ends. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  readonly #most: number;
  #end: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  /** @param most How many events may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Adds an event. Returns whether there was room; nothing is added after the end. */
  add(event: Event): boolean {
    if (this.#end) return true;
    if (this.#events.length >= this.#most) return false;
    this.#events.push(event);
    this.#wake();
    return true;
  }

  /** Ends it, once. What has arrived can still be taken. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** The next event; `undefined` after the last one. @throws The error with which it ended. */
  async next(signal: AbortSignal): Promise<Event | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end) return undefined;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await untilAborted(woken, signal);
    }
  }
}
