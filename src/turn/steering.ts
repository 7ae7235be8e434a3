/** A queue of messages for the model, delivered before its next step. */
export interface SteeringQueue {
  /** Adds a message. */
  push(text: string): void;
  /** Removes and returns the messages for the next step: the oldest, or all. */
  drain(): readonly string[];
}

/**
 * @param mode `one` delivers one message per step, `all` the whole queue.
 */
export function createSteeringQueue(mode: "one" | "all" = "all"): SteeringQueue {
  const waiting: string[] = [];
  return {
    push: (text) => void waiting.push(text),
    drain: () => waiting.splice(0, mode === "one" ? 1 : waiting.length),
  };
}
