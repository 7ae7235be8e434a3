import type { Path } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { type Fault, refuseKey } from "./faults.ts";
import { fitValue } from "./fit_value.ts";
import { droppedKeywords } from "./json_schema.ts";
import { schemaAt } from "./schema.ts";

/** A value or key that Vapi's API rejects. */
export interface Refused {
  readonly path: Path;
  /** The API's own message for an unknown key; else a message of Callweave. */
  readonly message: string;
  /** Whether the key at the path is not in the document. */
  readonly isUnknown: boolean;
}

/** Returns what Vapi's API rejects in the body of an assistant, a squad or a tool, by its published schemas. */
export function vapiRefusals(kind: "assistant" | "squad" | "tool", body: JsonObject): readonly Refused[] {
  const faults: Fault[] = [];
  if (kind === "tool") fitValue(schemaAt("AssistantOverrides", "tools:append", "items"), body, [], faults);
  else fitValue({ $ref: kind === "squad" ? "CreateSquadDTO" : "CreateAssistantDTO" }, body, [], faults);
  // the API accepts more JSON Schema keywords than it documents
  return faults.filter(({ instead }) => instead !== droppedKeywords([]).instead).map(refusedBy);
}

function refusedBy(fault: Fault): Refused {
  const { at: path, message } = fault;
  const ifUnknown: Fault[] = [];
  refuseKey(path, [], ifUnknown);
  if (ifUnknown[0]?.message !== message) return { path, message, isUnknown: false };
  const owner = path.slice(0, -1).join(".");
  const property = `property ${path.at(-1)} should not exist`;
  return { path, message: owner === "" ? property : `${owner}.${property}`, isUnknown: true };
}
