/** Messages that arrive while a turn runs, for the model to see before its next step. */
export interface SteeringQueue {
  /** Adds a message. */
  push(text: string): void;
  /** Takes the messages that the next step gets: the oldest, or all. */
  drain(): readonly string[];
}

/**
 * @param mode `one` gives the model one message a step, `all` everything that has arrived.
 */
export function createSteeringQueue(mode: "one" | "all" = "all"): SteeringQueue {
  const waiting: string[] = [];
  return {
    push: (text) => void waiting.push(text),
    drain: () => waiting.splice(0, mode === "one" ? 1 : waiting.length),
  };
}
