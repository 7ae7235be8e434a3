import * as v from "valibot";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { withoutLists } from "../../../document/graph/mod.ts";
import type { ArgumentsSpec, Flag } from "../arguments/mod.ts";
import { ENVIRONMENTS } from "./environment_schema.ts";

/** Flags of the agent rather than of a command. They are top-level keys of the configuration, beside `source`. */
export const AGENT_FLAGS = ["scenarios", "tests", "policies", "export", "from"] as const;

/** How help shows the value of a flag that takes a number. */
const NUMBERS = ["N", "SECONDS", "SCORE", "DOLLARS"];

const anyObject = v.custom<JsonObject>(isRecord);
const texts = v.union([v.string(), v.array(v.string())]);

/**
 * The schema of a configuration: the agent, its environments, and a section of flags for each command that takes a SOURCE.
 *
 * @param specs Arguments of the commands whose sections are validated. Sections of the others may hold anything.
 * @param others Names of the other commands.
 */
export function configSchema(specs: { readonly [command: string]: ArgumentsSpec }, others: readonly string[] = []) {
  const sections = [
    ...Object.entries(specs).map(
      ([command, { flags }]) => [configKey(command), sectionSchema(command, flags)] as const,
    ),
    ...others.map((command) => [configKey(command), anyObject] as const),
  ];
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
    ...Object.fromEntries(sections.map(([key, schema]) => [key, v.optional(schema)])),
  });
}

/** The key of a command or a flag: `compare_turns`, `snippets_list`, `max_turns`. */
export function configKey(name: string): string {
  return name.replaceAll(/[- ]/g, "_");
}

function sectionSchema(command: string, flags: ArgumentsSpec["flags"]) {
  const own = Object.entries(flags).filter(([name, flag]) => flag.isOwn || !AGENT_FLAGS.some((each) => each === name));
  return v.pipe(
    withoutLists(
      v.strictObject(Object.fromEntries(own.map(([name, flag]) => [configKey(name), v.optional(flagSchema(flag))]))),
    ),
    v.description(`Flags of callweave ${command}, used where the command line does not pass them`),
  );
}

function flagSchema(flag: Flag) {
  return v.pipe(valueSchema(flag), v.description(flag.description));
}

function valueSchema({ value, repeats }: Flag) {
  if (value === undefined) return v.boolean();
  if (NUMBERS.includes(value)) return v.number();
  if (value === "N|auto") return v.union([v.number(), v.literal("auto")]);
  return repeats ? texts : v.string();
}
