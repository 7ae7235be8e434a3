import { dirname, relative, resolve } from "node:path";
import { type FlowModule, scenarioModule } from "../../../../dsl/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { briefScenario, type Scenario } from "../../../document/scenario/mod.ts";
import { type AgentSource, isModulePath } from "../../project/mod.ts";
import { schemaPath } from "../io/mod.ts";

/** The file of scenarios, and the agent that they are for. */
export interface ScenarioFile {
  /** Absent: standard output, as if it were a module in the current folder. */
  readonly path: string | undefined;
  readonly source: AgentSource;
  readonly sourcePath: string;
}

/** Serializes scenarios: as a module, or as JSON with its `$schema` if the file ends in `.json`. */
export function scenarioText(scenarios: readonly Scenario[], file: ScenarioFile): string {
  if (file.path?.endsWith(".json")) {
    const document = { $schema: schemaPath("scenarios", file.path), scenarios: scenarios.map(briefScenario) };
    return `${JSON.stringify(document, null, 2)}\n`;
  }
  return scenarioModule(scenarios, file.source.graph, flowModule(file));
}

/** The flow that the module of scenarios imports; `undefined` if the agent is not a module, or is an unnamed export. */
function flowModule({ path, source: { exports, graph }, sourcePath }: ScenarioFile): FlowModule | undefined {
  if (!isModulePath(sourcePath)) return undefined;
  const graphs = Object.entries(exports).filter(([, value]) => isRecord(value) && isRecord(value.nodes));
  const [name] = graphs.find(([, value]) => value === graph) ?? graphs[0] ?? [];
  if (name === undefined || ["default", "scenario", "scenarios", "runAsProgram"].includes(name)) return undefined;
  const folder = path === undefined ? resolve(".") : dirname(resolve(path));
  const from = relative(folder, resolve(sourcePath)).replaceAll("\\", "/");
  return { name, from: from.startsWith(".") ? from : `./${from}` };
}
