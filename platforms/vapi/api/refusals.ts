import type { Path } from "../../../src/errors.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { type Fault, refuseKey } from "./faults.ts";
import { fit } from "./fit.ts";
import { droppedKeywords } from "./json_schema.ts";
import { schemaAt } from "./schema.ts";

/** Something that Vapi's API refuses in a body. */
export interface Refused {
  readonly path: Path;
  /** As the API words it, for unknown keys; else in our words. */
  readonly message: string;
  /** Whether the key at the path is not in the document. */
  readonly isUnknown: boolean;
}

/** What Vapi's API refuses in the body of an assistant, a squad or a tool, by its published document. */
export function vapiRefusals(kind: "assistant" | "squad" | "tool", body: JsonObject): readonly Refused[] {
  const faults: Fault[] = [];
  if (kind === "tool") fit(schemaAt("AssistantOverrides", "tools:append", "items"), body, [], faults);
  else fit({ $ref: kind === "squad" ? "CreateSquadDTO" : "CreateAssistantDTO" }, body, [], faults);
  // its own JSON schemas take more keywords than the document names
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
