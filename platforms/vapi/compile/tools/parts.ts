import type { Path } from "../../../../src/base/errors.ts";
import { clip, isRecord, type JsonObject, type Names, omit, pick } from "../../../../src/base/values/mod.ts";
import { type Guard, isAlways } from "../../../lower/mod.ts";
import { convertJsonSchema, droppedKeywords, type Fault, fitValue, limits, schemaAt } from "../../api/mod.ts";
import type * as Vapi from "../../generated/mod.ts";
import type { LossList, VapiTool } from "../common/mod.ts";
import { vetoLiquid } from "../guards/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { reportFaults } from "../settings/mod.ts";
import { emitText } from "../text/mod.ts";

/** An emitted tool and its name in Vapi. */
export interface EmittedTool {
  readonly tool?: VapiTool;
  /** Id of a tool that is saved in the organisation. */
  readonly toolId?: string;
  readonly name: string;
}

/** Context of an emitted tool. */
export interface ToolPlace {
  readonly path: Path;
  /** Names of the member's tools. */
  readonly names: Names;
  /** Variables that store the outcome of the tool. */
  readonly flags: readonly string[];
}

/** Parts of a code tool. */
interface CodeParts {
  readonly name: string;
  readonly description: string;
  /** Default: no arguments. */
  readonly parameters?: Vapi.OpenAIFunctionParameters;
  readonly code: string;
  /** Variables that the tool sets. */
  readonly aliases: readonly { readonly key: string; readonly value: string }[];
}

/** Creates a silent tool that runs code and sets variables. */
export function codeTool({ code, aliases, parameters, ...named }: CodeParts): VapiTool & { readonly type: "code" } {
  return {
    type: "code",
    function: { ...named, parameters: parameters ?? { type: "object", properties: {} } },
    code,
    messages: [],
    variableExtractionPlan: { aliases: [...aliases] },
  };
}

/** Returns Liquid for an alias that keeps its value if the result has none. */
export const answerOr = (path: string, alias: string) => `{{ ${path} | default: ${alias}, allow_false: true }}`;

/** Emits the `rejectionPlan` that rejects a tool call unless the guard holds; empty if the guard always holds. */
export function emitRejection(guard: Guard, context: EmitContext): { readonly rejectionPlan?: Vapi.ToolRejectionPlan } {
  if (isAlways(guard)) return {};
  return { rejectionPlan: { conditions: [{ type: "liquid", liquid: vetoLiquid(guard, context.variables) }] } };
}

/** Truncates a description or message to Vapi's limit. */
export function emitDescription(text: string, path: Path, { losses }: EmitContext): string {
  if (text.length > limits().message) losses.add("text-clipped", path, text.length);
  return clip(text, limits().message);
}

/**
 * Converts a JSON Schema to the keywords that Vapi supports (`JsonSchema`).
 *
 * @param path Path of the schema in the graph.
 */
export function emitSchema(schema: unknown, path: Path, losses: LossList): Vapi.JsonSchema {
  const { schema: emitted, dropped } = convertJsonSchema(isRecord(schema) ? schema : {});
  if (dropped.length > 0) losses.add("schema-keyword", path, { kind: "dropped", ...droppedKeywords(dropped) });
  return emitted as unknown as Vapi.JsonSchema; // its type and format are those of Vapi's document
}

/** Converts the parameters of a function, which must be an object with properties. */
export function emitParameters(schema: unknown, path: Path, losses: LossList): Vapi.OpenAIFunctionParameters {
  const { properties, required } = emitSchema(schema, path, losses);
  return { type: "object", properties: properties ?? {}, ...(required?.length ? { required } : {}) };
}

/**
 * Emits a tool that transfers the call.
 *
 * @param places Destinations in Vapi's JSON.
 * @param description When to choose the destination. Of several, each has its own description if it has one.
 * @param words Text that is spoken before the transfer.
 */
export function emitTransfer(
  places: readonly JsonObject[],
  description: string,
  path: Path,
  context: EmitContext,
  words?: string,
): Vapi.CreateTransferCallToolDTO {
  const messages = spoken(words, path, context);
  const told = description === "" ? "" : emitDescription(description, path, context);
  const destinations = places.flatMap((place) => {
    const own = places.length > 1 && typeof place.description === "string" ? place.description : "";
    return emitDestination(place, own || told, path, context) ?? [];
  });
  return { type: "transferCall", ...(destinations.length > 0 ? { destinations } : {}), messages };
}

type VapiDestination = NonNullable<Vapi.CreateTransferCallToolDTO["destinations"]>[number];

/** Emits a destination. A number or address is never shortened: a part of it would lead to somebody else. */
function emitDestination(
  place: JsonObject,
  description: string,
  path: Path,
  context: EmitContext,
): VapiDestination | undefined {
  const { losses } = context;
  const targets = Object.entries(pick(place, ["number", "sipUri"])).flatMap(([key, to]) =>
    typeof to === "string" && to !== "" ? [[key, emitText(to, path, context)] as const] : [],
  );
  const { minLength: least = 0, maxLength: most = 0 } = schemaAt("TransferDestinationNumber", "number");
  const wrong = targets.find(([key, to]) => key === "number" && (to.length < least || to.length > most));
  if (wrong) losses.add("transfer-destination", path, wrong[1], least, most);
  const { maxLength: longest = 0 } = schemaAt("TransferDestinationNumber", "extension");
  const isLong = typeof place.extension === "string" && place.extension.length > longest;
  if (isLong) losses.add("transfer-extension", path, String(place.extension), longest);
  if (wrong) return undefined;
  const faults: Fault[] = [];
  const said = { message: place.message ?? "", ...(description ? { description } : {}) };
  const whole = { ...omit(place, isLong ? ["extension"] : []), ...Object.fromEntries(targets), ...said };
  const fitted = fitValue(schemaAt("CreateTransferCallToolDTO", "destinations", "items"), whole, path, faults);
  reportFaults(faults, losses);
  return fitted as VapiDestination | undefined; // fitted to the schema of this type
}

/** Returns the message that a tool speaks before it runs. */
export function spoken(
  words: string | undefined,
  path: Path,
  context: EmitContext,
): NonNullable<Vapi.CreateEndCallToolDTO["messages"]> {
  return words ? [{ type: "request-start", content: emitDescription(words, path, context), blocking: true }] : [];
}
