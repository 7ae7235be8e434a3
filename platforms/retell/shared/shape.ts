import { isRecord } from "../../../src/base/values/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";
import { openContainer } from "./container.ts";

/** Structure of Retell's documents in any container. */
export const documentShape: DocumentShape = {
  keys: ["id", "tool_id", "conversation_flow_component_id", "name"],
  references: { destination_node_id: "id", destination_state_name: "name" },
  derived: ["id", "display_position", "version"],
  defaults: ["name", "start_node_id", "starting_state"],
  // an equation's variable can have braces
  respell: (original, base, mine) => {
    const [, open, name, close] = /^(\{\{\s*)(.*?)(\s*\}\})$/.exec(original) ?? [];
    return name === base ? `${open}${mine}${close}` : mine;
  },
  open: (document) => {
    const opened = openContainer(document);
    if (!opened) return { body: document, close: (body) => body };
    return { body: opened.whole, close: (body) => (isRecord(body) ? opened.close(body) : body) };
  },
};
