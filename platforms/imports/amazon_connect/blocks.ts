import { shown } from "../../../src/base/values/mod.ts";
import type { TransitionCondition } from "../../../src/document/graph/mod.ts";
import {
  AFTER_CALLER,
  ALWAYS_TAKEN,
  AT_ONCE,
  asked,
  assigned,
  compared,
  conditionsOf,
  isExact,
  type Logic,
  request,
  textOf,
  toolCalled,
  withoutTags,
  words,
} from "../shared/mod.ts";
import { Block, type Reading } from "./block.ts";
import type { Action, Condition } from "./document.ts";

/** Adds the node of a block to the draft. */
export function addBlock(action: Action, reading: Reading): void {
  const read = Object.hasOwn(READERS, action.type) ? READERS[action.type] : undefined;
  (read ?? readUnknown)(new Block(action, reading));
}

const READERS: { readonly [type: string]: (block: Block) => void } = {
  MessageParticipant: readMessage,
  MessageParticipantIteratively: readMessage,
  GetParticipantInput: readInput,
  ConnectParticipantWithLexBot: readBot,
  Compare: readCompare,
  InvokeLambdaFunction: readLambda,
  UpdateContactAttributes: (block) => readAttributes(block, "Attributes"),
  UpdateFlowAttributes: (block) => readAttributes(block, "FlowAttributes"),
  TransferParticipantToThirdParty: readTransfer,
  TransferContactToQueue: readTransfer,
  TransferContactToAgent: readTransfer,
  DisconnectParticipant: readEnd,
  EndFlowExecution: readEnd,
  EndFlowModuleExecution: readEnd,
  CheckHoursOfOperation: readDecision,
  CheckMetricData: readDecision,
  DistributeByPercentage: readDecision,
  Loop: readDecision,
  Wait: readDecision,
  UpdateContactTargetQueue: readSetting,
  UpdateContactTextToSpeechVoice: readSetting,
  UpdateContactRecordingBehavior: readSetting,
  UpdateContactRecordingAndAnalyticsBehavior: readSetting,
  UpdateFlowLoggingBehavior: readSetting,
  UpdateContactEventHooks: readSetting,
  UpdateContactData: readSetting,
};

const SPOKEN = ["Text", "SSML"];

/** The words of a block, or an instruction for its recording, whose words only the recording has. */
function spoken(block: Block) {
  const [text, ssml] = [block.text("Text"), block.text("SSML")];
  const at = [...block.action.path, "Parameters"];
  if (ssml !== "")
    block.draft.note("markup", [...at, "SSML"], "Tags of SSML are left out", "Check the text of the node");
  const said = [text, withoutTags(ssml)].filter(Boolean).join(" ");
  if (said !== "") return { state_prompt: said, instruction_type: "static_text" as const };
  block.draft.warn(
    "recording",
    at,
    "The words of its recording are not in the flow",
    "Write them into the prompt of the node",
  );
  return { state_prompt: `Say what the recording says: ${block.text("PromptId")}` };
}

function readMessage(block: Block): void {
  const transitions = [block.way(block.action.next, ALWAYS_TAKEN, AT_ONCE)];
  block.add("conversation", { ...spoken(block), transitions }, SPOKEN);
}

/** Asks, and reads the keys of the answer into a variable. */
function readInput(block: Block): void {
  const { draft, references, action } = block;
  const stores = /^true$/i.test(block.text("StoreInput"));
  const name = stores ? references.name("$.StoredCustomerInput") : references.take("pressed_keys");
  const keys = action.conditions.flatMap(({ operands }) => operands);
  const one = keys.length === 0 ? "" : `; one of ${keys.join(", ")}`;
  const answers = action.conditions.flatMap((condition) => {
    const way = block.way(condition, ALWAYS_TAKEN);
    return conditionsOf(compareWith(name, condition)).map((each) => ({ ...way, condition: each }));
  });
  const silence = block.error("InputTimeLimitExceeded");
  const silent =
    silence?.to === undefined ? [] : [block.way(silence, asked("The caller says nothing and presses no key"))];
  const later = draft.helper(`${action.id} answer`);
  const rest = block.otherwise();
  const transitions = draft.answered(silent, later);
  block.add("conversation", { ...spoken(block), transitions }, [...SPOKEN, "StoreInput"]);
  const description = `Keys that the caller pressed, or the number that they said${one}`;
  draft.add(
    later,
    "extract",
    { variables_to_extract: [{ name, description, type: "string" }], transitions: [...answers, rest] },
    action.path,
  );
}

function readBot(block: Block): void {
  const { draft, action } = block;
  const transitions = [
    ...action.conditions.map((condition) =>
      block.way(condition, asked(`What the caller wants is "${condition.operands.join(", ")}"`)),
    ),
    block.otherwise(AFTER_CALLER),
  ];
  const message = "The phrases of the bot's intents are not in the flow; the model decides by their names";
  draft.warn("intents", action.path, message, "Say in the conditions what callers say");
  block.add("conversation", { ...spoken(block), transitions }, SPOKEN);
}

const OPERATORS: { readonly [operator: string]: string } = {
  Equals: "==",
  NumberEquals: "==",
  NumberLessThan: "<",
  NumberLessOrEqualTo: "<=",
  NumberGreaterThan: ">",
  NumberGreaterOrEqualTo: ">=",
  TextContains: "contains",
};

function compareWith(name: string, { operator, operands }: Condition): Logic {
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (known === undefined || operands.length === 0) return words(`{{${name}}} ${inWords({ operator, operands })}`);
  return { kind: "any", of: operands.map((operand) => compared(name, known, operand)) };
}

/** `TextStartsWith "a"` as words: text starts with "a". */
function inWords({ operator, operands }: Pick<Condition, "operator" | "operands">): string {
  const spaced = operator.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return [spaced, operands.map((operand) => JSON.stringify(operand)).join(" or ")].filter(Boolean).join(" ");
}

function readCompare(block: Block): void {
  const { references, action } = block;
  const name = references.only(textOf(block.given("ComparisonValue")));
  if (name === undefined) return void readDecision(block);
  const ways = action.conditions.flatMap((condition) => {
    const filled = { ...condition, operands: condition.operands.map((operand) => references.fill(operand)) };
    const conditions: readonly TransitionCondition[] = conditionsOf(compareWith(name, filled));
    if (!isExact(conditions))
      block.draft.warn(
        "condition-in-words",
        condition.path,
        "The model decides this condition, which has no equation",
        "Write an equation if one will do",
      );
    const way = block.way(condition, ALWAYS_TAKEN);
    return conditions.map((each) => ({ ...way, condition: each }));
  });
  block.add("logic", { transitions: [...ways, block.otherwise()] }, ["ComparisonValue"]);
}

/** A decision that only Connect can make: the model makes it. */
function readDecision(block: Block): void {
  const { type } = block.action;
  const what = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  const ways = block.inWords((condition) => `The result of "${what}" is: ${inWords(condition)}`);
  block.add("logic", { transitions: [...ways, block.otherwise()] });
}

function readLambda(block: Block): void {
  const { action, draft, references } = block;
  const arn = block.text("LambdaFunctionARN");
  const name = block.tools.take((arn.split(":function:")[1] ?? "function").replaceAll(/\W+/g, "_") || "function");
  const tool = request({
    ...{ name, description: `Lambda function ${arn}` },
    ...{ sends: block.fields("LambdaInvocationAttributes"), fills: references.external() },
  });
  draft.warn(
    "tool-without-url",
    action.path,
    `The tool "${name}" is a Lambda function, which has no URL here`,
    "Give it a function URL",
  );
  const failed = block.error("NoMatchingError", "TimeLimitExceeded");
  const transitions = [
    block.way(action.next, toolCalled(name, "succeeded")),
    block.way(failed, toolCalled(name, "failed")),
  ];
  block.add("function", { tools: [tool], transitions }, ["LambdaFunctionARN", "LambdaInvocationAttributes"]);
}

function readAttributes(block: Block, key: string): void {
  const { action, draft, references } = block;
  const values = Object.entries(block.fields(key));
  for (const [name] of values)
    draft.note(
      "set-variable",
      [...action.path, "Parameters", key, name],
      `A model gives "${name}" its value`,
      "Set it with a tool if it has to be computed",
    );
  const variables = values.map(([name, value]) => {
    const text = typeof value === "object" && value !== null && "Value" in value ? value.Value : value;
    return assigned(references.name(`$.${key}.${name}`), text);
  });
  const transitions = [block.way(action.next, ALWAYS_TAKEN)];
  block.add("extract", { variables_to_extract: variables, transitions }, [key]);
}

/** Hands the call over. What follows an error is reached if the transfer fails. */
function readTransfer(block: Block): void {
  const { action, draft } = block;
  const to = block.text("ThirdPartyPhoneNumber");
  if (to === "")
    draft.warn(
      "destination",
      action.path,
      "The call goes to a queue or an agent of Connect, which has no number",
      "Set the destination of the transfer",
    );
  const failed = [...action.errors, ...(action.next ? [action.next] : [])].filter((branch) => branch.to !== undefined);
  const transitions = failed.map((branch) => block.way(branch, { type: "tool_call", value: "", outcome: "failed" }));
  for (const { to: next, path } of failed)
    draft.note(
      "after-transfer",
      path,
      `${shown(next)} is reached if the transfer fails; after a successful one the call is over for the agent`,
      "Nothing, if that is what you want",
    );
  block.add("transfer", { ...(to === "" ? {} : { transfer_to: to }), transitions }, ["ThirdPartyPhoneNumber"]);
}

function readEnd(block: Block): void {
  block.add("end", {});
}

/** A setting of the contact: nothing that callers hear. */
function readSetting(block: Block): void {
  block.add("logic", { transitions: [block.way(block.action.next, ALWAYS_TAKEN)] });
}

/** Keeps a block that the graph has no node for, and goes on after it. */
function readUnknown(block: Block): void {
  const { type, id, path } = block.action;
  const message = `${shown(id)} has the type "${type}", which agents do not have; calls pass it`;
  block.draft.warn("unknown-node", path, message, "Replace the node by what it should do");
  readDecision(block);
}
