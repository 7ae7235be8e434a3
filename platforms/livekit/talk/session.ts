import { untilAborted } from "../../../src/base/values/mod.ts";
import { type ConnectionFailure, connectionFailure } from "../../../src/call/connection/mod.ts";
import type { SessionCarrier } from "./carrier.ts";
import {
  readWorkerMessage,
  type SessionItem,
  type SessionRequest,
  type WorkerMessage,
  writePlayed,
  writeRequest,
} from "./messages.ts";

/** The answer to a request. */
export type SessionAnswer = Extract<WorkerMessage, { readonly kind: "answer" }>;

/** Messages with the session of a worker. */
export interface Session {
  /**
   * Sends a request, and returns its answer.
   *
   * @throws {ConnectionError} `vendor` if the worker answers with an error or with something else; `ended-early` if it
   *   has left.
   */
  ask(request: SessionRequest, signal: AbortSignal): Promise<SessionAnswer>;
  /** Takes the items and errors that the worker has told since the last time. */
  take(): { readonly items: readonly SessionItem[]; readonly errors: readonly string[] };
  /** Whether the agent thinks or speaks, as the worker told last; `undefined` before. */
  readonly isBusy: boolean | undefined;
  /** Whether the agent has said something since the call began. */
  readonly hasSpoken: boolean;
  /** Resolves with the next event, and when the worker leaves. */
  next(): Promise<void>;
  /** Resolves when the worker has left. */
  readonly left: Promise<void>;
  readonly hasLeft: boolean;
  /** Why the worker cannot be understood. */
  readonly fault: string | undefined;
}

/** LiveKit's own limit for messages, which is also that of requests. */
const MOST_SENT = 2 ** 20;

/** Starts to read what a worker sends. Nothing is lost from then on. */
export function startSession(name: string, carrier: SessionCarrier): Session {
  const waiting = new Map<string, (answer: SessionAnswer) => void>();
  const fail = (kind: ConnectionFailure, state: string) => connectionFailure(name, kind, state);
  let asked = 0;
  let items: SessionItem[] = [];
  let errors: string[] = [];
  let isBusy: boolean | undefined;
  let hasSpoken = false;
  let hasLeft = false;
  let fault: string | undefined;
  let wake: Moment<void> = moment();
  const { promise: left, resolve: leave } = moment();
  const tell = () => {
    const told = wake;
    wake = moment();
    told.resolve();
  };
  const took = (found: readonly SessionItem[]) => {
    hasSpoken ||= found.some((item) => item.kind === "message" && item.isAgents);
  };
  const receive = (message: WorkerMessage) => {
    if (message.kind === "answer") {
      took(message.items);
      if (message.of === "getSessionState") isBusy = message.isBusy;
      waiting.get(message.requestId)?.(message);
      waiting.delete(message.requestId);
    } else if (message.kind === "items") {
      took(message.items);
      items.push(...message.items);
    } else if (message.kind === "state") isBusy = message.isBusy;
    else if (message.kind === "error") errors.push(message.words);
    else if (message.kind === "playing") carrier.send(writePlayed());
    if (message.kind !== "other") tell();
  };
  const end = () => {
    if (hasLeft) return;
    hasLeft = true;
    leave();
    tell();
  };
  const unreadable = (error: unknown) => {
    fault = `it sent what cannot be read: ${error instanceof Error ? error.message : "no reason is given"}`;
    carrier.close();
    end();
  };
  carrier.start({
    message: (bytes) => {
      if (fault !== undefined) return;
      try {
        receive(readWorkerMessage(bytes));
      } catch (error) {
        unreadable(error);
      }
    },
    unreadable,
    end,
  });
  // what an agent says before the worker has connected is not sent, and it waits for its end
  carrier.send(writePlayed());
  return {
    ask: async (request, signal) => {
      signal.throwIfAborted();
      const id = `request_${++asked}`;
      const bytes = writeRequest(id, request);
      if (bytes.length > MOST_SENT) throw fail("refused", `a message has more than ${MOST_SENT} bytes`);
      const answered = new Promise<SessionAnswer>((resolve) => waiting.set(id, resolve));
      carrier.send(bytes);
      const answer = await untilAborted(Promise.race([answered, left]), signal).finally(() => waiting.delete(id));
      if (!answer) throw fault ? fail("vendor", fault) : fail("ended-early", "its worker left before it answered");
      if (answer.error !== "") throw fail("vendor", [`it answers ${answer.error}`, ...errors].join("; "));
      if (answer.of !== request.kind) throw fail("vendor", `it does not answer ${request.kind}`);
      return answer;
    },
    take: () => {
      const taken = { items, errors };
      items = [];
      errors = [];
      return taken;
    },
    get isBusy() {
      return isBusy;
    },
    get hasSpoken() {
      return hasSpoken;
    },
    get hasLeft() {
      return hasLeft;
    },
    next: async () => {
      if (!hasLeft) await wake.promise;
    },
    get fault() {
      return fault;
    },
    left,
  };
}

/** A promise, and what resolves it. */
export interface Moment<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

export function moment<Value = void>(): Moment<Value> {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
