import type { Vapi } from "@vapi-ai/server-sdk";
import { isRecord } from "../../../src/values/mod.ts";
import {
  anything,
  beyondSdk,
  flag,
  kindOf,
  kinds,
  list,
  number,
  oneOf,
  type Rule,
  record,
  shape,
  text,
} from "./fit.ts";
import { fitToolSettings } from "./fit_tool.ts";
import { jsonSchema } from "./schema.ts";

type Interrupted = Omit<Vapi.CallHookAssistantSpeechInterrupted, "on"> & {
  on: Vapi.CallHookAssistantSpeechInterrupted["on"] | Vapi.CallHookCustomerSpeechInterrupted["on"];
};
type Action = Vapi.CallHookCustomerSpeechTimeoutDoItem;

/** A tool that a hook calls: its schemas are nobody else's to convert. */
const hookTool: Rule = (value, at, faults) => {
  const tool = fitToolSettings(value, at, faults);
  if (!isRecord(tool)) return undefined;
  const schemas = ["body", "headers"].filter((key) => isRecord(tool[key]));
  return {
    ...tool,
    ...Object.fromEntries(schemas.map((key) => [key, jsonSchema(tool[key], [...at, key], faults)])),
  };
};

const ACTIONS = kinds<Action, "type">("type", {
  say: shape<Vapi.SayHookAction>({ prompt: anything, exact: anything }),
  tool: shape<Vapi.ToolCallHookAction>({ tool: beyondSdk(hookTool), toolId: text() }),
  "message.add": shape<Vapi.MessageAddHookAction>({ message: record, triggerResponseEnabled: flag }, ["message"]),
});

const filter = shape<Vapi.CallHookFilter>({ type: oneOf("oneOf"), key: text(1000), oneOf: list(text(1000)) }, [
  "type",
  "key",
  "oneOf",
]);
const options = shape<Vapi.CustomerSpeechTimeoutOptions>(
  { triggerResetMode: anything, timeoutSeconds: number(1, 1000), triggerMaxCount: number(1, 10) },
  ["timeoutSeconds"],
);

const does = list<never>(kindOf(ACTIONS));
const ending = shape<Vapi.CallHookCallEnding>({ on: oneOf("call.ending"), do: does, filters: list(filter) }, [
  "on",
  "do",
]);
const interrupted = shape<Interrupted>(
  { on: oneOf("assistant.speech.interrupted customer.speech.interrupted"), do: does },
  ["on", "do"],
);
const created = shape<Vapi.SessionCreatedHook>({ on: oneOf("session.created"), do: does, name: text(1000) }, [
  "on",
  "do",
]);
const silence = shape<Vapi.CallHookCustomerSpeechTimeout>({ on: text(1000), do: does, options, name: text(1000) }, [
  "on",
  "do",
]);

/** What a hook may have depends on the event; that of a silence may carry conditions in its name. */
const EVENTS: ReadonlyMap<unknown, Rule> = new Map<unknown, Rule>([
  ["call.ending", ending],
  ["assistant.speech.interrupted", interrupted],
  ["customer.speech.interrupted", interrupted],
  ["session.created", created],
]);

/** Holds the hooks of an assistant to what Vapi's types know (SDK 2.0.1, `CreateAssistantDTO.hooks`). */
export const hooks = list<never>((value, at, faults) => {
  const rule = (isRecord(value) && EVENTS.get(value.on)) || silence;
  return anything(rule(value, at, faults), at, faults);
});
