import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { withoutLists } from "../../../document/graph/mod.ts";
import type { SectionKey } from "./define_config.ts";
import { ENVIRONMENTS } from "./environment_schema.ts";

/** A setting of a command, as help and the configuration's schema have it. Without `value` it is a switch. */
export interface Setting {
  /** How help shows the value: `N`, `FILE`. */
  readonly value?: string;
  readonly description: string;
  /** Whether it can have several values. */
  readonly repeats?: boolean;
  /** For a setting with the name of a top-level key of the configuration, which does not set it. */
  readonly isOwn?: true;
}

/** The settings of a command by name. */
export interface Settings {
  readonly [name: string]: Setting;
}

/** Settings of the agent rather than of a command. They are top-level keys of the configuration, beside `source`. */
export const PROJECT_KEYS = ["scenarios", "tests", "policies", "export", "from"] as const;

/** How help shows the value of a setting that takes a number. */
const NUMBERS = ["N", "SECONDS", "SCORE", "DOLLARS"];

const SECTIONS: { readonly [Key in SectionKey]: true } = {
  run: true,
  chat: true,
  compare_turns: true,
  check: true,
  portability: true,
  view: true,
  draw: true,
  emit: true,
  generate: true,
  replay: true,
  evaluate: true,
  diagnose: true,
  decompose: true,
  snippets_list: true,
  snippets_analyse: true,
};

const anyObject = v.custom<JsonObject>(isRecord);
const texts = v.union([v.string(), v.array(v.string())]);

/**
 * The schema of a configuration: the agent, its environments, and a section of settings for each command that works on it.
 *
 * @param specs Settings of the commands whose sections are validated. Sections of the others may hold anything.
 */
export function configSchema(specs: { readonly [command: string]: Settings } = {}) {
  const sections = new Map<string, ReturnType<typeof sectionSchema> | typeof anyObject>([
    ...Object.keys(SECTIONS).map((key) => [key, anyObject] as const),
    ...Object.entries(specs).map(
      ([command, settings]) => [configKey(command), sectionSchema(command, settings)] as const,
    ),
  ]);
  return v.strictObject({
    $schema: v.optional(v.string()),
    source: v.optional(
      v.pipe(v.string(), v.description("The agent: a module that exports a graph, or JSON that can be imported")),
    ),
    scenarios: v.optional(v.pipe(texts, v.description("Modules that export scenarios"))),
    tests: v.optional(v.pipe(texts, v.description("JSON files of scenarios or test cases"))),
    policies: v.optional(v.pipe(texts, v.description("Modules that export policies, or JSON files of them"))),
    export: v.optional(v.pipe(v.string(), v.description("Name of the export, if the module exports several graphs"))),
    from: v.optional(v.pipe(v.string(), v.description("Format of a JSON source; detected from its keys by default"))),
    environments: v.optional(ENVIRONMENTS),
    ...Object.fromEntries([...sections].map(([key, schema]) => [key, v.optional(schema)])),
  });
}

/** The key of a command or a setting: `compare_turns`, `snippets_list`, `max_turns`. */
export function configKey(name: string): string {
  return name.replaceAll(/[- ]/g, "_");
}

function sectionSchema(command: string, settings: Settings) {
  const own = Object.entries(settings).filter(
    ([name, setting]) => setting.isOwn || !PROJECT_KEYS.some((each) => each === name),
  );
  return v.pipe(
    withoutLists(
      v.strictObject(
        Object.fromEntries(own.map(([name, setting]) => [configKey(name), v.optional(settingSchema(setting))])),
      ),
    ),
    v.description(`Flags of callweave ${command}, used where the command line does not pass them`),
  );
}

function settingSchema(setting: Setting) {
  return v.pipe(valueSchema(setting), v.description(setting.description));
}

function valueSchema({ value, repeats }: Setting) {
  if (value === undefined) return v.boolean();
  if (NUMBERS.includes(value)) return v.number();
  if (value === "N|auto") return v.union([v.number(), v.literal("auto")]);
  return repeats ? texts : v.string();
}
