import { untilAborted } from "../../../src/base/values/mod.ts";
import type { WireEvent } from "../../../src/call/voice/mod.ts";

/** What arrives on the line of a call, in order. */
export class PhoneLine {
  readonly #events: WireEvent[] = [];
  #failure: Error | undefined;
  #wake: () => void = () => {};
  #isOver = false;

  /** Whether the other side has hung up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add(event: WireEvent): void {
    if (this.#isOver) return;
    this.#events.push(event);
    this.#wake();
  }

  /** The other side hangs up, or passes the call on. */
  end(how: "ended" | "transferred"): void {
    if (this.#isOver) return;
    this.#events.push({ kind: "ends", as: how === "ended" ? "agent_ended" : "agent_transferred" });
    this.#isOver = true;
    this.#wake();
  }

  /** The line fails: {@link next} throws the error when it has returned what arrived before. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#isOver = true;
    this.#wake();
  }

  /** The next event; `undefined` when the other side has hung up. */
  async next(signal: AbortSignal): Promise<WireEvent | undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event) return event;
      if (this.#failure) throw this.#failure;
      if (this.#isOver) return undefined;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await untilAborted(woken, signal);
    }
  }
}
