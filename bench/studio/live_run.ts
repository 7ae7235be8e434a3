/** A run of offline calls, as `callweave run` holds them: started by the bench while viewers watch. */
import { argv } from "node:process";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { run } from "../../src/run/runner/mod.ts";

const [db = "", scenarios = "", repeat = ""] = argv.slice(2);
const graph = parseGraph({
  entry_node_id: "chat",
  source_metadata: { begin_message: "Hello, how can I help?" },
  nodes: { chat: { node_type: "conversation", state_prompt: "Help the caller." } },
});
const list = Array.from({ length: Number(scenarios) }, (_, index) => ({
  name: `live caller ${index}`,
  says: ["Where is my order?", "Thank you."],
  includes: ["order"],
}));
const { id } = await run(graph, list, {
  models: { agent: "offline" },
  store: db,
  repeat: { times: Number(repeat) },
});
console.log(id);
