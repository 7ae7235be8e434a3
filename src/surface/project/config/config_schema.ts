import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { type Settings, settingKey, settingsSchema, TEXTS } from "../../../document/settings/mod.ts";
import type { SectionKey } from "./define_config.ts";
import { ENVIRONMENTS } from "./environment_schema.ts";

/** Settings of the agent rather than of a command. They are top-level keys of the configuration, beside `source`. */
export const PROJECT_KEYS = ["scenarios", "tests", "policies", "export", "from"] as const;

const SECTIONS: { readonly [Key in SectionKey]: true } = {
  run: true,
  chat: true,
  compare_turns: true,
  check: true,
  portability: true,
  view: true,
  draw: true,
  emit: true,
  convert: true,
  generate: true,
  replay: true,
  evaluate: true,
  diagnose: true,
  attack: true,
  watch: true,
  mcp: true,
  decompose: true,
  snippets_list: true,
  snippets_analyse: true,
};

const anyObject = v.custom<JsonObject>(isRecord);

/**
 * The schema of a configuration: the agent, its environments, and a section of settings for each command that works on it.
 *
 * @param specs Settings of the commands whose sections are validated. Sections of the others may hold anything.
 */
export function configSchema(specs: { readonly [command: string]: Settings } = {}) {
  const sections = new Map<string, ReturnType<typeof sectionSchema> | typeof anyObject>([
    ...Object.keys(SECTIONS).map((key) => [key, anyObject] as const),
    ...Object.entries(specs).map(
      ([command, settings]) => [settingKey(command), sectionSchema(command, settings)] as const,
    ),
  ]);
  return v.strictObject({
    $schema: v.optional(v.string()),
    source: v.optional(
      v.pipe(v.string(), v.description("The agent: a module that exports a graph, or JSON that can be imported")),
    ),
    scenarios: v.optional(v.pipe(TEXTS, v.description("Modules that export scenarios"))),
    tests: v.optional(v.pipe(TEXTS, v.description("JSON files of scenarios or test cases"))),
    policies: v.optional(v.pipe(TEXTS, v.description("Modules that export policies, or JSON files of them"))),
    export: v.optional(v.pipe(v.string(), v.description("Name of the export, if the module exports several graphs"))),
    from: v.optional(v.pipe(v.string(), v.description("Format of a JSON source; detected from its keys by default"))),
    environments: v.optional(ENVIRONMENTS),
    ...Object.fromEntries([...sections].map(([key, schema]) => [key, v.optional(schema)])),
  });
}

function sectionSchema(command: string, settings: Settings) {
  const own = Object.entries(settings).filter(
    ([name, setting]) => setting.isOwn || !PROJECT_KEYS.some((each) => each === name),
  );
  return v.pipe(
    settingsSchema(Object.fromEntries(own)),
    v.description(`Flags of callweave ${command}, used where the command line does not pass them`),
  );
}
