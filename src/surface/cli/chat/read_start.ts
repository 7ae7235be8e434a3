import type { JsonObject } from "../../../base/values/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import type { ChatStart } from "../../chat/mod.ts";
import { exportedScenarios, loadScenarios } from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { selectScenarios } from "../sources/mod.ts";

/**
 * Reads the variables and mocks that a chat starts with: those of a scenario, and of `--var`.
 *
 * @param exports Exports of the agent's module, where no file of scenarios is named.
 * @throws {UsageError} `usage`; what `loadScenarios` throws.
 */
export async function readStart(exports: JsonObject, args: Arguments, terminal: Terminal): Promise<ChatStart> {
  const scenario = await chosenScenario(exports, args, terminal);
  return {
    variables: { ...scenario?.dynamic_variables, ...readVariables(args.texts("var")) },
    mocks: scenario?.tool_mocks ?? [],
  };
}

/** Parses the `NAME=VALUE` of each flag. */
function readVariables(texts: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw usage(`--var is "${text}"`, "Write a name and a value: --var caller_name=Ana");
      return [name.trim(), value];
    }),
  );
}

async function chosenScenario(exports: JsonObject, args: Arguments, terminal: Terminal): Promise<Scenario | undefined> {
  const name = args.text("scenario");
  if (name === undefined) return undefined;
  const files = [...args.texts("scenarios"), ...args.texts("tests")]; // may be set in the project's configuration
  const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  const scenarios = files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(exports));
  if (scenarios.length === 0)
    throw usage("there are no scenarios", "Name a file: --scenarios scenarios.ts, or --tests tests.json");
  return selectScenarios(scenarios, { names: [name], tags: [] })[0];
}
