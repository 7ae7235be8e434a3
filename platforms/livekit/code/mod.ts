import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { Format, PlainEmitted } from "../../platform.ts";
import { type Plan, planProgram } from "./plan.ts";
import { pythonParts } from "./python.ts";
import { fillTemplate, type Parts, type ProgramFile } from "./template.ts";
import { typescriptParts } from "./typescript.ts";

/** A program for LiveKit Agents in TypeScript. Its document is the text of `agent.ts`. */
export const livekitTypescript: Format<"livekit", string> = {
  name: "livekit",
  title: "LiveKit Agents program (TypeScript)",
  fileName: "agent.ts",
  emitGraph: (graph) =>
    emitProgram(graph, typescriptParts, ["agent.ts", "flow.ts", "agent_test.ts", "package.json", "tsconfig.json"]),
};

/** A program for LiveKit Agents in Python. Its document is the text of `agent.py`. */
export const livekitPython: Format<"livekit-python", string> = {
  name: "livekit-python",
  title: "LiveKit Agents program (Python)",
  fileName: "agent.py",
  emitGraph: (graph) => emitProgram(graph, pythonParts, ["agent.py", "flow.py", "test_agent.py", "requirements.txt"]),
};

/** Emits the program of a graph. Everything of the graph is in the first file. */
function emitProgram(
  graph: AgentGraph,
  print: (plan: Plan) => Parts,
  [main, ...others]: readonly [ProgramFile, ...ProgramFile[]],
): PlainEmitted<string> {
  const { plan, losses } = planProgram(graph);
  const parts = print(plan);
  const files = others.map((path) => ({ path, text: fillTemplate(path, parts) }));
  return { config: fillTemplate(main, parts), files, losses };
}
