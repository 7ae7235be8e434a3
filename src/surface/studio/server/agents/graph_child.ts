/** The process that `createGraphWork()` starts for each picture, and for the policies of each version of an agent. */
import process from "node:process";
import { endWithParent } from "../../../project/mod.ts";
import type { GraphQuestion } from "./graph_work.ts";
import { policyDecisions } from "./policy_decisions.ts";
import { shownParts } from "./shown_parts.ts";

const watched = endWithParent();
process.on("message", async (question: GraphQuestion) => {
  await watched;
  const { ask, graph } = question;
  process.send?.(ask === "show" ? shownParts(graph) : policyDecisions(graph, question.policies));
});
