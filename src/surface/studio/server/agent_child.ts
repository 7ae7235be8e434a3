/** The process that `createAgents()` starts for each save: it loads and draws one agent, and waits to be stopped. */
import process from "node:process";
import { check } from "../../../agent/check/mod.ts";
import { drawAddressed } from "../../../agent/draw/mod.ts";
import { isCallweaveError } from "../../../base/errors.ts";
import { thrownWords } from "../../../base/values/mod.ts";
import { parseScenarios } from "../../../document/scenario/mod.ts";
import {
  endWithParent,
  exportedScenarios,
  flowExport,
  isModulePath,
  loadScenarios,
  loadSource,
} from "../../project/mod.ts";
import type { AgentQuestion, LoadedAgent } from "./agents.ts";

const watched = endWithParent();
process.on("message", async (question: AgentQuestion) => {
  await watched;
  process.send?.(await load(question));
});

async function load({ path, exportName, format, scenarioFiles }: AgentQuestion): Promise<LoadedAgent> {
  try {
    const reader = { env: process.env, input: async () => "", warn: () => {} };
    const source = await loadSource(path, reader, { exportName, format });
    const files = await Promise.all(scenarioFiles.map((file) => loadScenarios(file, reader)));
    const scenarios = scenarioFiles.length > 0 ? files.flat() : parseScenarios(exportedScenarios(source.exports));
    return {
      name: source.name,
      format: source.format,
      graph: source.graph,
      picture: drawAddressed(source.graph),
      findings: [...source.findings, ...check(source.graph)],
      flow: isModulePath(path) ? (flowExport(source) ?? null) : null,
      scenarios: scenarios.map(({ name, tags }) => ({ name, tags: [...(tags ?? [])] })),
    };
  } catch (error) {
    if (!isCallweaveError(error))
      return { problem: { code: "internal", message: thrownWords(error), path: [], hint: "Fix the agent's source" } };
    const { code, message, path: place, hint } = error;
    return { problem: { code, message, path: [...place], hint } };
  }
}
