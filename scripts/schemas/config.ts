import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type { Settings } from "../../src/document/settings/mod.ts";
import { COMMANDS } from "../../src/surface/cli/commands/mod.ts";
import { configurableCommands } from "../../src/surface/cli/config/mod.ts";
import { configSchema } from "../../src/surface/project/mod.ts";

/** The JSON Schema of `callweave.config.json`, generated from the flags of the commands. */
export async function configJsonSchema(): Promise<JsonSchema> {
  return {
    ...toJsonSchema(configSchema(await configSpecs()), { target: "draft-07", ignoreActions: ["finite"] }),
    title: "Callweave configuration",
    description:
      "callweave.config.json: the agent of a project, and flags that its commands use where none are passed.",
  };
}

/** The settings of every command that may have a section. */
export async function configSpecs(): Promise<{ readonly [command: string]: Settings }> {
  const commands = await Promise.all(configurableCommands(COMMANDS).map(async ({ load }) => await load()));
  return Object.fromEntries(commands.map(({ name, spec }) => [name, spec.flags]));
}
