import { isRecord, type JsonObject, jsonOrText, own, recordAt, recordsAt } from "../../values/mod.ts";
import { type CallDraft, outcomeOf } from "./call_draft.ts";
import { argumentsFrom, numberAt, textAt } from "./fields.ts";
import { sayLabelledText } from "./labelled_text.ts";

/** A reply of an assistant to the caller. */
export interface VapiReply {
  /** Number of the caller's turn, from 1. */
  readonly turn: number;
  readonly nodeId: string;
}

/** What Vapi answers to a handoff that succeeded. */
const HANDED_OFF = /no handoff destination returned|^handoff initiated|^transferr?(?:ed|ing)/i;
const HANDOFF = /^(?:handoff|transfer)_?to_?(.+)$/i;
const HANDOFF_TOOL = /handoff|transferCall|transfer_call/i;

/**
 * Adds the messages of a Vapi call to its draft. The path consists of a squad's assistants by name, or of a workflow's
 * nodes.
 *
 * @param startMs Start of the call since 1970, if it is known.
 * @returns The assistants' replies.
 */
export function readVapiTurns(record: JsonObject, draft: CallDraft, startMs: number | undefined): readonly VapiReply[] {
  const artifact = recordAt(record, "artifact");
  const nodes = recordsAt(artifact, ["nodes"]).filter((node) => recordsAt(node, ["messages"]).length > 0);
  const activations = recordsAt(artifact, ["assistantActivations"]).map(activeName);
  const turns = new VapiTurns(draft, { startMs, activations, isSquad: nodes.length === 0 });
  if (nodes.length > 0)
    for (const node of nodes) {
      draft.move(textAt(node, "nodeName") ?? "", "Vapi's workflow");
      turns.read(recordsAt(node, ["messages"]));
    }
  else {
    const messages = [recordsAt(artifact, ["messages"]), recordsAt(record, ["messages"])].find(
      (list) => list.length > 0,
    );
    const isSquad = isRecord(record.squad) || textAt(record, "squadId") !== undefined;
    draft.enter(turns.firstAssistant ?? (isSquad ? firstMember(recordAt(record, "squad")) : ""));
    if (messages) turns.read(messages);
    else sayLabelledText(textAt(artifact, "transcript") ?? textAt(record, "transcript") ?? "", draft);
  }
  return turns.replies;
}

interface VapiCourse {
  readonly startMs: number | undefined;
  /** Names of the assistants in the order in which they were active; empty when they are not known. */
  readonly activations: readonly string[];
  /** Whether the path consists of assistants. */
  readonly isSquad: boolean;
}

class VapiTurns {
  readonly replies: VapiReply[] = [];
  readonly #draft: CallDraft;
  readonly #call: VapiCourse;
  #active = 0;
  #turn = 0;
  #speaker = "";

  constructor(draft: CallDraft, call: VapiCourse) {
    this.#draft = draft;
    this.#call = call;
  }

  get firstAssistant(): string | undefined {
    return this.#call.activations[0];
  }

  read(messages: readonly JsonObject[]): void {
    const results = new Map(messages.flatMap((each) => ("result" in each ? [[own(each, "toolCallId"), each]] : [])));
    for (const message of messages) {
      const role = textAt(message, "role") ?? "";
      const content = textAt(message, "message") ?? textAt(message, "content") ?? "";
      const atMs = this.#offset(message);
      if (role === "bot" || role === "assistant") this.#speak(message, content, atMs);
      else if (role === "user") {
        if (this.#speaker !== "user") this.#turn++;
        this.#draft.say("user", content, atMs);
        this.#speaker = "user";
      } else if (role === "tool_calls")
        for (const call of recordsAt(message, ["toolCalls"]))
          this.#useTool(call, message, results.get(own(call, "id")));
    }
  }

  #speak(message: JsonObject, content: string, atMs: number | undefined): void {
    const name = textAt(message, "assistantName");
    if (name !== undefined && name !== this.#draft.at) this.#moveTo(name, "the assistant speaks", atMs);
    if (content.trim() === "") return;
    this.#draft.say("assistant", content, atMs);
    if (this.#speaker === "user") this.replies.push({ turn: this.#turn, nodeId: this.#draft.at });
    this.#speaker = "bot";
  }

  #useTool(call: JsonObject, message: JsonObject, answer: JsonObject | undefined): void {
    const named = isRecord(call.function) ? call.function : call;
    const name = textAt(named, "name") ?? "";
    const args = argumentsFrom(own(named, "arguments"));
    const result = jsonOrText(own(answer ?? {}, "result") ?? null);
    const isHandedOff = typeof result === "string" && HANDED_OFF.test(result);
    const outcome = isHandedOff ? "succeeded" : outcomeOf(result);
    const [fromMs, toMs] = [this.#offset(message), answer && this.#offset(answer)];
    const durationMs = fromMs === undefined || toMs === undefined ? undefined : Math.max(0, toMs - fromMs);
    this.#draft.call({ name, arguments: args, result, outcome, durationMs }, fromMs);
    if (outcome === "succeeded" && (isHandedOff || HANDOFF_TOOL.test(name)) && this.#draft.at !== "")
      this.#moveTo(this.#destination(name, args) ?? "", `${name} succeeded`, toMs);
  }

  /** The target assistant of a handoff: the next one that was active, else the one that the tool names. */
  #destination(name: string, args: JsonObject): string | undefined {
    const next = this.#call.activations[this.#active + 1];
    return next ?? textAt(args, "destination") ?? textAt(args, "assistantName") ?? HANDOFF.exec(name)?.[1];
  }

  #moveTo(name: string, because: string, atMs: number | undefined): void {
    if (name === "" || !this.#call.isSquad) return;
    const next = this.#call.activations.indexOf(name, this.#active);
    if (next >= 0) this.#active = next;
    this.#draft.move(name, because, atMs);
  }

  /** Milliseconds since the start of the call. */
  #offset(message: JsonObject): number | undefined {
    const seconds = numberAt(message, "secondsFromStart");
    if (seconds !== undefined) return Math.max(0, Math.round(seconds * 1_000));
    const time = numberAt(message, "time");
    return time === undefined || this.#call.startMs === undefined ? undefined : Math.max(0, time - this.#call.startMs);
  }
}

function activeName(activation: JsonObject): string {
  return textAt(activation, "assistantName") ?? textAt(activation, "assistantId") ?? "";
}

function firstMember(squad: JsonObject): string {
  const [member = {}] = recordsAt(squad, ["members"]);
  return textAt(recordAt(member, "assistant"), "name") ?? textAt(member, "assistantId") ?? "";
}
