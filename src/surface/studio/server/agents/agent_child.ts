/** The process that `createAgents()` starts for each save: it loads and draws one agent, and waits to be stopped. */
import process from "node:process";
import { isCallweaveError } from "../../../../base/errors.ts";
import { thrownWords } from "../../../../base/values/mod.ts";
import { parseScenarios } from "../../../../document/scenario/mod.ts";
import {
  endWithParent,
  exportedScenarios,
  flowExport,
  isModulePath,
  loadPolicies,
  loadScenarios,
  loadSource,
} from "../../../project/mod.ts";
import type { AgentQuestion, LoadedAgent } from "./agents.ts";
import { shownParts } from "./shown_parts.ts";

const watched = endWithParent();
process.on("message", async (question: AgentQuestion) => {
  await watched;
  process.send?.(await load(question));
});

async function load({
  path,
  exportName,
  format,
  scenarioFiles,
  policyFiles = [],
}: AgentQuestion): Promise<LoadedAgent> {
  try {
    const reader = { env: process.env, input: async () => "", warn: () => {} };
    const source = await loadSource(path, reader, { exportName, format });
    const files = await Promise.all(scenarioFiles.map((file) => loadScenarios(file, reader)));
    const scenarios = scenarioFiles.length > 0 ? files.flat() : parseScenarios(exportedScenarios(source.exports));
    const policies = await loadPolicies(source.exports, policyFiles, reader);
    return {
      name: source.name,
      format: source.format,
      graph: source.graph,
      shown: shownParts(source.graph, source.findings),
      flow: isModulePath(path) ? (flowExport(source) ?? null) : null,
      scenarios: scenarios.map(({ name, tags }) => ({ name, tags: [...(tags ?? [])] })),
      policies,
    };
  } catch (error) {
    if (!isCallweaveError(error))
      return { problem: { code: "internal", message: thrownWords(error), path: [], hint: "Fix the agent's source" } };
    const { code, message, path: place, hint } = error;
    return { problem: { code, message, path: [...place], hint } };
  }
}
