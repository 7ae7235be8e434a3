import type { JsonObject } from "../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../src/document/graph/mod.ts";
import { findingsOf } from "../findings.ts";
import { checkKeys, NAME_LIMIT, retellTables } from "./shared/mod.ts";

export { retell, SLOTS as RETELL_EDGE_SLOTS } from "./flow/mod.ts";
export { retellLlm } from "./llm/mod.ts";
export { RETELL_MODELS, retellTables } from "./shared/mod.ts";
export {
  emitTestCases,
  importTestCases,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "./test_cases/mod.ts";

/** Returns the languages that an agent can have. */
export const retellLanguages = (): readonly string[] => retellTables().languages;

/** Returns the paths of keys, at any depth, that Retell's published schema lacks. */
export const retellUnknownKeys = (root: "flow" | "llm" | "agent", body: JsonObject): readonly string[] =>
  findingsOf((report) => checkKeys(root, body, [], report)).map(({ path }) => path.join("."));
/** Returns the longest name of a tool; `undefined` for a tool of an MCP server, which has the server's name. */
export const retellToolNameLimit = ({ type }: ToolDefinition) => (type === "mcp" ? undefined : NAME_LIMIT);
