import * as v from "valibot";
import { Message } from "./calls.ts";
import { Document, Name, Text } from "./parts.ts";

export const NewChat = v.object({
  /** Id of an agent; with a source, unless `connection` is given. */
  agent: Name,
  /** Takes the variables and the mocks of this scenario. */
  scenario: v.optional(Name),
  variables: v.optional(v.record(Name, Text)),
  /** Other prompts, by node: a scratch copy; the source does not change. */
  prompts: v.optional(v.record(Name, Text)),
  /** Talks with this deployed agent instead of the graph: one of the project's `connections`. */
  connection: v.optional(Name),
  /** Whether tools of the deployed agent may run that no mock answers. Default: false. */
  allowRealTools: v.optional(v.boolean()),
});

/** A chat between two turns. */
export const Chat = v.object({
  id: v.string(),
  agent: v.string(),
  model: v.string(),
  /** Whether the offline model plays the agent. */
  offline: v.boolean(),
  /** The deployed agent that answers; `null`: the graph. It has no undo, set, goto and why. */
  connection: v.nullable(v.string()),
  node: v.string(),
  transcript: v.array(Message),
  nodesVisited: v.array(v.string()),
  variables: Document,
  endReason: v.nullable(v.string()),
  /** What `undo` reverts, oldest first. */
  steps: v.array(v.object({ kind: v.picklist(["said", "goto", "set", "hang-up"]), what: v.string() })),
});

export const ChatMessage = v.object({ text: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000)) });
export const ChatSet = v.object({ name: Name, value: Text });
export const ChatGoto = v.object({ node: Name });

/** Events of a reply, in the order in which they come: the last one is `turn` or `error`. */
export const ChatEvent = v.variant("type", [
  v.object({ type: v.literal("token"), text: v.string() }),
  /** The reply is asked for again: what was streamed of it does not count. */
  v.object({ type: v.literal("retry") }),
  v.object({ type: v.literal("message"), message: Message }),
  v.object({
    type: v.literal("variables"),
    changes: v.array(v.object({ name: v.string(), value: v.string(), was: v.optional(v.string()) })),
  }),
  v.object({ type: v.literal("turn"), chat: Chat }),
  v.object({ type: v.literal("error"), code: v.string(), message: v.string(), hint: v.string() }),
]);

/** The decisions of the last turn: the transitions that were considered, and why each was taken or not. */
export const Why = v.object({
  decisions: v.array(
    v.object({
      node: v.string(),
      /** `null`: the call stayed. */
      to: v.nullable(v.string()),
      because: v.string(),
      reasoning: v.nullable(v.string()),
      considered: v.array(
        v.object({ target: v.string(), kind: v.string(), condition: v.string(), outcome: v.string() }),
      ),
    }),
  ),
});
