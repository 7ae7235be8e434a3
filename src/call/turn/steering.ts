/** A queue of messages for the model, delivered before its next step. */
export interface SteeringQueue {
  /** Adds a message. */
  push(text: string): void;
  /** Removes and returns the messages for the next step: the oldest, or all. */
  drain(): readonly string[];
  /** Messages that are still waiting, oldest first. */
  readonly waiting: readonly string[];
}

/**
 * @param mode `one` delivers one message per step, `all` the whole queue.
 * @param messages Messages that wait already.
 */
export function createSteeringQueue(mode: "one" | "all" = "all", messages: readonly string[] = []): SteeringQueue {
  const waiting = [...messages];
  return {
    waiting,
    push: (text) => void waiting.push(text),
    drain: () => waiting.splice(0, mode === "one" ? 1 : waiting.length),
  };
}
