import { recordAt, records, shown } from "../../../src/base/values/mod.ts";
import type { ToolDefinition, Transition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import {
  AFTER_CALLER,
  ALWAYS_TAKEN,
  ANSWERED,
  AT_ONCE,
  asked,
  assigned,
  compared,
  conditionsOf,
  fieldsOf,
  isExact,
  request,
  textOf,
} from "../shared/mod.ts";
import type { Widget } from "./document.ts";
import { logicOf } from "./split.ts";
import { type Reading, Step } from "./step.ts";

/** Adds the node of a widget to the draft. */
export function addWidget(widget: Widget, reading: Reading): void {
  const read = Object.hasOwn(READERS, widget.type) ? READERS[widget.type] : undefined;
  (read ?? readUnknown)(new Step(widget, reading));
}

const READERS: { readonly [type: string]: (step: Step) => void } = {
  "say-play": readSay,
  "gather-input-on-call": readGather,
  "split-based-on": readSplit,
  "connect-call-to": readConnect,
  "send-to-flex": readQueue,
  "enqueue-call": readQueue,
  "record-voicemail": readVoicemail,
  "run-function": readFunction,
  "make-http-request": readRequest,
  "set-variables": readVariables,
  "send-message": readMessage,
  "send-and-wait-for-reply": readReply,
};

/** Keys of a spoken text. Voices are those of Twilio. */
const SPOKEN = ["say", "play", "language", "loop"];

/** The words of a widget, or an instruction for its recording, whose words only the recording has. */
function spoken(step: Step) {
  const [say, play] = [step.text("say"), step.text("play")];
  if (play !== "")
    step.draft.warn(
      "recording",
      [...step.widget.path, "properties", "play"],
      `The words of the recording ${shown(play)} are not in the flow`,
      "Write them into the prompt of the node",
    );
  if (say !== "" || play === "") return { state_prompt: say, instruction_type: "static_text" as const };
  return { state_prompt: `Say what the recording says: ${play}` };
}

function readSay(step: Step): void {
  const isSilent = step.text("say") === "" && step.text("play") === "";
  const transitions = [step.way(step.exit("audioComplete"), ALWAYS_TAKEN, AT_ONCE)];
  // a widget without words plays tones
  if (isSilent) step.add("logic", { transitions }, ["language", "loop"]);
  else step.add("conversation", { ...spoken(step), transitions }, SPOKEN);
}

/** Asks, and reads the keys and the words of the answer into variables. */
function readGather(step: Step): void {
  const { draft, references, widget } = step;
  const { name, path } = widget;
  const [keys, speech, timeout] = [step.exit("keypress"), step.exit("speech"), step.exit("timeout")];
  const used = references.ofWidget(name).map((result) => result.path);
  const variable = (result: string) => references.name(`widgets.${name}.${result}`);
  const hasKeys = keys?.next !== undefined || used.includes("Digits");
  const hasSpeech = speech?.next !== undefined || used.includes("SpeechResult");
  const variables: readonly VariableExtraction[] = [
    ...(hasKeys ? [{ name: variable("Digits"), description: keysText(step), type: "string" }] : []),
    ...(hasSpeech
      ? [{ name: variable("SpeechResult"), description: "What the caller said, word for word", type: "string" }]
      : []),
  ];
  const answers = [
    ...(keys?.next === undefined ? [] : draft.ways(keys.next, compared(variable("Digits"), "exists"), keys.path)),
    ...(speech?.next === undefined
      ? []
      : draft.ways(speech.next, compared(variable("SpeechResult"), "exists"), speech.path)),
  ];
  const later = draft.helper(`${name} answer`);
  step.add(
    "conversation",
    {
      ...spoken(step),
      transitions: draft.answered(step.ways(timeout, asked("The caller says nothing and presses no key")), later),
    },
    [...SPOKEN, "gather_language", "number_of_digits", "finish_on_key", "timeout", "stop_gather"],
  );
  draft.add(
    later,
    "extract",
    { variables_to_extract: variables, transitions: [...answers, step.way(timeout, ALWAYS_TAKEN)] },
    path,
  );
}

function keysText(step: Step): string {
  const count = textOf(step.given("number_of_digits"));
  const most = count === "" ? "" : `, ${count} at most`;
  return `Keys that the caller pressed, or the number that they said${most}`;
}

function readSplit(step: Step): void {
  const { draft, references } = step;
  const ways: Transition[] = [];
  for (let exit = step.exit("match"); exit; exit = step.exit("match")) {
    const logic = logicOf(exit.conditions, step.given("input"), references);
    const found = draft.ways(exit.next, logic, exit.path);
    if (!isExact(conditionsOf(logic)))
      draft.warn(
        "condition-in-words",
        exit.path,
        "The model decides this condition, which has no equation",
        "Write an equation if one will do",
      );
    ways.push(...found);
  }
  // conditions name their value themselves; that of the split stands in for those that do not
  const isRead = /^\s*\{\{[^{}]*\}\}\s*$/.test(textOf(step.given("input")));
  step.add("logic", { transitions: [...ways, step.way(step.exit("noMatch"), ALWAYS_TAKEN)] }, isRead ? ["input"] : []);
}

function readConnect(step: Step): void {
  const { draft, widget } = step;
  const noun = step.text("noun") || "number";
  const to = noun === "sip" ? step.text("sip_endpoint") : noun.startsWith("number") ? step.text("to") : "";
  const [first = "", ...others] = noun === "number-multi" ? to.split(",").map((each) => each.trim()) : [to];
  if (first === "" || others.length > 0)
    draft.warn(
      "destination",
      [...widget.path, "properties", "to"],
      first === "" ? `A "${noun}" is no number or SIP address` : `Only "${first}" is called, not ${others.join(", ")}`,
      "Set the destination of the transfer",
    );
  const isWhole = first !== "" && others.length === 0;
  addTransfer(step, first, ["callCompleted"], isWhole ? ["noun", noun === "sip" ? "sip_endpoint" : "to"] : []);
}

function readQueue(step: Step): void {
  step.draft.warn(
    "destination",
    [...step.widget.path, "properties"],
    "The call goes to a queue of Twilio, which has no number",
    "Set the destination of the transfer",
  );
  addTransfer(step, "", ["failedToEnqueue", "callFailure", "callComplete"]);
}

/** Hands the call over. What follows is reached if this fails. */
function addTransfer(step: Step, to: string, events: readonly string[], read: readonly string[] = []): void {
  const exits = events.map((event) => step.exit(event)).filter((exit) => exit?.next !== undefined);
  for (const exit of exits)
    if (exit)
      step.draft.note(
        "after-transfer",
        exit.path,
        `"${exit.next}" is reached if the transfer fails; after a successful one the call is over for the agent`,
        "Nothing, if that is what you want",
      );
  const transitions = exits.map((exit) => step.way(exit, { type: "tool_call", value: "", outcome: "failed" }));
  step.add("transfer", { ...(to === "" ? {} : { transfer_to: to }), transitions }, read);
}

function readVoicemail(step: Step): void {
  const silent = step.ways(step.exit("noAudio"), asked("The caller says nothing"));
  const left = step.way(step.exit("recordingComplete"), ALWAYS_TAKEN, AFTER_CALLER);
  const offered = silent.length > 0 ? [step.draft.step(left.target_node_id, ANSWERED)] : [];
  const transitions = [...silent, ...offered, left];
  step.draft.note(
    "approximated",
    step.widget.path,
    "The caller is asked for a message; nothing is recorded apart from the call",
    "Read the message from the transcript",
  );
  step.add("conversation", { state_prompt: "Ask the caller to leave a message.", transitions });
}

/** Parameters of a request or a function: a list of keys and values. */
function parametersOf(step: Step): { readonly [name: string]: unknown } {
  const pairs = records(step.given("parameters")).map(({ key, value }) => [
    textOf(key),
    step.value(value, "parameters"),
  ]);
  return Object.fromEntries(pairs);
}

function readFunction(step: Step): void {
  const url = step.text("url");
  const tool = request({
    ...{ name: step.toolName(), description: `Function of the step "${step.widget.name}"`, method: "POST", url },
    ...{ sends: parametersOf(step), fills: step.responses() },
  });
  addFunction(step, tool, "success", "fail", ["url", "parameters", "service_sid", "environment_sid", "function_sid"]);
}

function readRequest(step: Step): void {
  const { name, path } = step.widget;
  const [url, method] = [step.text("url"), step.text("method") || "GET"];
  const tool = request({
    ...{ name: step.toolName(), description: `Request of the step "${name}"`, url, method },
    headers: headersOf(step),
    sends: { ...parametersOf(step), ...recordAt({ body: step.value(fieldsOf(step.given("body")), "body") }, "body") },
    fills: step.responses(),
  });
  if (step.text("body") !== "" && !/json|form/.test(step.text("content_type")))
    step.draft.note(
      "approximated",
      [...path, "properties", "body"],
      "The body is sent as JSON",
      "Check what the server expects",
    );
  addFunction(step, tool, "success", "failed", ["url", "method", "parameters", "body", "content_type"]);
}

function headersOf(step: Step): { readonly [name: string]: string } {
  const type = step.text("content_type");
  return type === "" ? {} : { "Content-Type": type };
}

function addFunction(
  step: Step,
  tool: ToolDefinition,
  success: string,
  failure: string,
  read: readonly string[],
): void {
  step.add("function", { tools: [tool], transitions: step.outcomes(tool, success, failure) }, read);
}

function readVariables(step: Step): void {
  const { draft, references, widget } = step;
  const variables = records(step.given("variables"));
  const extracted = variables.map(({ key, value }) =>
    assigned(references.name(`flow.variables.${textOf(key)}`), step.value(value, "variables")),
  );
  for (const [index, { key }] of variables.entries())
    draft.note(
      "set-variable",
      [...widget.path, "properties", "variables", index],
      `A model gives "${textOf(key)}" its value`,
      "Set it with a tool if it has to be computed",
    );
  const transitions = [step.way(step.exit("next"), ALWAYS_TAKEN)];
  step.add("extract", { variables_to_extract: extracted, transitions }, ["variables"]);
}

function readMessage(step: Step): void {
  const { name, path } = step.widget;
  const keys = ["to", "from", "body", "media_url", "service"];
  const sends = Object.fromEntries(keys.map((key) => [key, step.text(key)]).filter(([, value]) => value !== ""));
  const tool = request({ name: step.toolName(), description: `Sends the message of the step "${name}"`, sends });
  step.draft.warn(
    "tool-without-url",
    path,
    `The tool "${tool.name}" has no address for its message`,
    "Give it the URL of your own server",
  );
  addFunction(step, tool, "sent", "failed", keys);
}

function readReply(step: Step): void {
  const { draft, references, widget } = step;
  const later = draft.helper(`${widget.name} answer`);
  const variable = references.name(`widgets.${widget.name}.inbound.Body`);
  const transitions = draft.answered(step.ways(step.exit("timeout"), asked("The caller says nothing")), later);
  step.add("conversation", { state_prompt: step.text("body"), instruction_type: "static_text", transitions }, [
    "body",
    "timeout",
  ]);
  draft.add(
    later,
    "extract",
    {
      variables_to_extract: [{ name: variable, description: "What the caller said, word for word", type: "string" }],
      transitions: [step.way(step.exit("incomingMessage"), ALWAYS_TAKEN)],
    },
    widget.path,
  );
}

/** The event after which a widget usually goes on. */
const USUAL = ["audioComplete", "next", "success", "answered", "completed", "return", "callCompleted", "sessionEnded"];

/** Keeps a widget that the graph has no node for, and goes on after it. */
function readUnknown(step: Step): void {
  const { type, path, name, exits } = step.widget;
  const usual = step.exit(...USUAL) ?? step.exit(exits.find(({ next }) => next !== undefined)?.event ?? "");
  step.draft.warn(
    "unknown-node",
    path,
    `"${name}" has the type "${type}", which agents do not have; calls pass it`,
    "Replace the node by what it should do",
  );
  step.add("logic", { transitions: [step.way(usual, ALWAYS_TAKEN)] });
}
