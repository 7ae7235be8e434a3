import { existsSync } from "node:fs";
import { type ChatSession, type ChatStart, chatScenario, type OutputLine, refusedAction } from "../../chat/mod.ts";
import { type AgentSource, isModulePath } from "../../project/mod.ts";
import { scenarioText } from "../generate/mod.ts";
import { checkWritableFile, writeTextFile } from "../io/mod.ts";

/**
 * Writes the call as a scenario into a new file: JSON if its name ends in `.json`, else a module.
 *
 * @param given Default: `chat_1.ts`, or the next number that is free; `.json` for an agent that is no module.
 * @throws {UsageError} `usage` when the file exists, or nothing was said yet.
 */
export async function saveChat(
  session: ChatSession,
  start: ChatStart,
  agent: { readonly source: AgentSource; readonly path: string },
  given: string | undefined,
): Promise<readonly OutputLine[]> {
  const path = given ?? freeName(isModulePath(agent.path) ? "ts" : "json");
  if (!path.endsWith(".json") && !isModulePath(path))
    throw refusedAction(
      `save "${path}"`,
      "its extension is neither .ts nor .json",
      "Name a file that ends in .ts or .json",
    );
  if (existsSync(path))
    throw refusedAction(`save "${path}"`, "the file exists", "Name a new file; no file is overwritten");
  const { scenario, warnings } = chatScenario(session, start);
  if (scenario.says.length === 0) throw refusedAction("save the call", "you have said nothing", "Say something first");
  await checkWritableFile(path);
  const source = { ...agent.source, graph: session.graph };
  await writeTextFile(path, scenarioText([scenario], { path, source, sourcePath: agent.path }));
  const flag = path.endsWith(".json") ? "--tests" : "--scenarios";
  return [
    { text: `saved ${path}; run it: npx callweave run ${agent.path} ${flag} ${path}`, depth: 0 },
    ...warnings.map((text) => ({ text: `note: ${text}`, depth: 1 })),
  ];
}

function freeName(ending: string): string {
  for (let number = 1; ; number++) {
    const name = `chat_${number}.${ending}`;
    if (!existsSync(name)) return name;
  }
}
