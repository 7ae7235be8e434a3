import { isRecord, type JsonObject, jsonOrText, own, recordAt, recordsAt } from "../../../src/base/values/mod.ts";
import { argumentsFrom, type CallDraft, numberAt, outcomeOf, sayLabelledText, textAt } from "../../reading/mod.ts";
import { handoffOutcome, isHandedOff } from "../traits/mod.ts";

/** A reply of an assistant to the caller. */
export interface VapiReply {
  /** Number of the caller's turn, from 1. */
  readonly turn: number;
  readonly nodeId: string;
}

const HANDOFF = /^(?:handoff|transfer)_?to_?(.+)$/i;
const HANDOFF_TOOL = /hand_?off|transfer/i;
/** A number or an address is called by a transfer; no assistant has such a name. */
const PHONE = /^(?:(?:sip|tel):.*|\+?[\d\s().-]{5,})$/i;

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
  const assistants = assistantNames(record);
  const nameOf = (id: string) => own(assistants, id) ?? id;
  const turns = new VapiTurns(draft, {
    ...{ startMs, nameOf, isSquad: nodes.length === 0 },
    activations: recordsAt(artifact, ["assistantActivations"]).map((each) => nameOf(activeName(each))),
    transfers: recordsAt(artifact, ["transfers"]),
  });
  if (nodes.length > 0)
    for (const node of nodes) {
      draft.arrive(textAt(node, "nodeName") ?? "", "Vapi's workflow");
      turns.read(recordsAt(node, ["messages"]));
    }
  else {
    const messages = [recordsAt(artifact, ["messages"]), recordsAt(record, ["messages"])].find(
      (list) => list.length > 0,
    );
    draft.enter(turns.firstAssistant ?? nameOf(firstMember(recordAt(record, "squad"))));
    if (messages) turns.read(messages);
    else sayLabelledText(textAt(artifact, "transcript") ?? textAt(record, "transcript") ?? "", draft);
  }
  return turns.replies;
}

/** Names of the call's assistants by id, as its squad, activations and messages state them. */
export function assistantNames(record: JsonObject): Readonly<Record<string, string>> {
  const artifact = recordAt(record, "artifact");
  const members = recordsAt(recordAt(record, "squad"), ["members"]).map((member) => ({
    assistantId: own(member, "assistantId") ?? own(recordAt(member, "assistant"), "id"),
    assistantName: own(recordAt(member, "assistant"), "name"),
  }));
  const active = recordsAt(artifact, ["assistantActivations"]);
  const said = [...recordsAt(artifact, ["messages"]), ...recordsAt(record, ["messages"])];
  return Object.fromEntries(
    [...members, ...active, ...said].flatMap((each) => {
      const [id, name] = [textAt(each, "assistantId"), textAt(each, "assistantName")];
      return id !== undefined && name !== undefined ? [[id, name]] : [];
    }),
  );
}

interface VapiCourse {
  readonly startMs: number | undefined;
  readonly nameOf: (assistantId: string) => string;
  /** The call's transfers to numbers and SIP addresses, in their order. */
  readonly transfers: readonly JsonObject[];
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
  #transfers = 0;
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
    const id = textAt(message, "assistantId");
    const name = textAt(message, "assistantName") ?? (id === undefined ? undefined : this.#call.nameOf(id));
    if (name !== undefined && this.#follow(name)) this.#draft.arrive(name, "the assistant speaks", atMs);
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
    const transfer = /transfer/i.test(name) ? this.#call.transfers[this.#transfers++] : undefined;
    const outcome = isHandoff(name, result)
      ? handoffOutcome(result, transfer && textAt(transfer, "status"))
      : outcomeOf(result);
    const [fromMs, toMs] = [this.#offset(message), answer && this.#offset(answer)];
    const durationMs = fromMs === undefined || toMs === undefined ? undefined : Math.max(0, toMs - fromMs);
    this.#draft.call({ name, arguments: args, result, outcome, durationMs }, fromMs);
    if (outcome === "failed" || !isHandoff(name, result) || transfer) return;
    const to = this.#destination(name, args) ?? "";
    if (this.#follow(to)) this.#draft.move(to, `${name} succeeded`, toMs);
  }

  /** The target assistant of a handoff: the next one that was active, else the one that the tool names. */
  #destination(name: string, args: JsonObject): string | undefined {
    const named = textAt(args, "destination") ?? textAt(args, "assistantName") ?? textAt(args, "assistantId");
    if (named !== undefined && PHONE.test(named)) return undefined;
    const next = this.#call.activations[this.#active + 1];
    return next ?? (named === undefined ? HANDOFF.exec(name)?.[1] : this.#call.nameOf(named));
  }

  /** Whether a name is that of another assistant, from which on the call goes on. */
  #follow(name: string): boolean {
    if (name === "" || name === this.#draft.at || !this.#call.isSquad) return false;
    const next = this.#call.activations.indexOf(name, this.#active);
    if (next >= 0) this.#active = next;
    return true;
  }

  /** Milliseconds since the start of the call. */
  #offset(message: JsonObject): number | undefined {
    const seconds = numberAt(message, "secondsFromStart");
    if (seconds !== undefined) return Math.max(0, Math.round(seconds * 1_000));
    const time = numberAt(message, "time");
    return time === undefined || this.#call.startMs === undefined ? undefined : Math.max(0, time - this.#call.startMs);
  }
}

function isHandoff(name: string, result: unknown): boolean {
  return HANDOFF_TOOL.test(name) || isHandedOff(result);
}

function activeName(activation: JsonObject): string {
  return textAt(activation, "assistantName") ?? textAt(activation, "assistantId") ?? "";
}

function firstMember(squad: JsonObject): string {
  const [member = {}] = recordsAt(squad, ["members"]);
  return textAt(recordAt(member, "assistant"), "name") ?? textAt(member, "assistantId") ?? "";
}
