import { isRecord, recordAt, records } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";

/** An `update_state` node sets at most so many variables. */
const MOST_UPDATES = 50;

/** Reports what ElevenLabs refuses: two edges of one pair of nodes, too many updates, a tool without a name that it accepts. */
export function checkElevenLabs(_graph: AgentGraph, config: unknown): readonly Finding[] {
  return findingsOf((report) => {
    const workflow = recordAt(isRecord(config) ? config : {}, "workflow");
    const pairs = new Map<string, string>();
    for (const [id, edge] of Object.entries(recordAt(workflow, "edges"))) {
      const { source, target } = isRecord(edge) ? edge : {};
      const pair = JSON.stringify([source, target].sort());
      const other = pairs.get(pair);
      const message = `The edges "${other}" and "${id}" join the same two nodes, and ElevenLabs takes one`;
      const hint = `Make one of them the backward_condition of the other`;
      if (other !== undefined) report("duplicate-edge", ["workflow", "edges", id], message, hint);
      pairs.set(pair, id);
    }
    for (const [id, node] of Object.entries(recordAt(workflow, "nodes"))) {
      const updates = records(isRecord(node) ? node.updates : []);
      const message = `"${id}" sets ${updates.length} variables, and ElevenLabs takes ${MOST_UPDATES}`;
      if (updates.length > MOST_UPDATES)
        report("too-many-updates", ["workflow", "nodes", id, "updates"], message, "Split the node");
    }
  });
}
