import type { ConversationOptions } from "../../../call/engine/mod.ts";
import { modelName, resolveModel } from "../../../call/models/mod.ts";
import { toolImplementations } from "../../../document/graph/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import { namesIn, platformValues } from "../../../run/runner/mod.ts";
import { exportedScenarios, loadScenarios, type Source } from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { readRunOptions } from "../run/mod.ts";
import { selectScenarios } from "../sources/mod.ts";
import type { ChatStart } from "./chat_scenario.ts";
import type { ChatHeader } from "./view.ts";

/** The settings of a chat's calls. */
export interface PreparedChat {
  readonly options: Omit<ConversationOptions, "listeners" | "from">;
  /** Settings that a saved scenario repeats, without the variables that platforms set. */
  readonly start: ChatStart;
  readonly header: Omit<ChatHeader, "nodeId">;
}

/** A fixed id, because runs keep the id of a call the same in every run. */
const CALL_ID = "call_chat";

/**
 * Reads the flags of a chat.
 *
 * @throws {UsageError} `usage`; what `loadScenarios` throws.
 */
export async function prepareChat(source: Source, args: Arguments, terminal: Terminal): Promise<PreparedChat> {
  const { graph, name } = source;
  const { models, requests, budget, liveTools, clock, turn, limits } = await readRunOptions(graph, args, terminal);
  const reference = models?.agent ?? "offline";
  const scenario = await chosenScenario(source, args, terminal);
  const start = {
    variables: { ...scenario?.dynamic_variables, ...readVariables(args.texts("var")) },
    mocks: scenario?.tool_mocks ?? [],
  };
  const now = clock?.now?.() ?? new Date();
  const variables = {
    ...platformValues(namesIn(graph), CALL_ID, { now }),
    ...graph.source_metadata.default_dynamic_variables,
    ...start.variables,
  };
  return {
    options: {
      models: { agent: await resolveModel(reference) },
      variables,
      mocks: start.mocks,
      tools: toolImplementations(graph), // a reloaded graph has no functions
      signal: terminal.signal,
      ...(requests ? { requests } : {}),
      ...(budget ? { budget } : {}),
      ...(limits ? { limits } : {}),
      ...(liveTools ? { liveTools } : {}),
      ...(clock ? { clock } : {}),
      ...(turn ? { turn } : {}),
    },
    start,
    header: { agent: name, model: modelName(reference), offline: reference === "offline" },
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

async function chosenScenario(source: Source, args: Arguments, terminal: Terminal): Promise<Scenario | undefined> {
  const name = args.text("scenario");
  if (name === undefined) return undefined;
  const files = [...args.texts("scenarios"), ...args.texts("tests")]; // may be set in the project's configuration
  const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  const scenarios = files.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(source.exports));
  if (scenarios.length === 0)
    throw usage("there are no scenarios", "Name a file: --scenarios scenarios.ts, or --tests tests.json");
  return selectScenarios(scenarios, { names: [name], tags: [] })[0];
}
