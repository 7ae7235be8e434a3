import type { Vapi } from "@vapi-ai/server-sdk";
import { limits } from "../../api/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { NamePool } from "../common/mod.ts";

/**
 * The tool by which a model notes that another one has failed, where Vapi itself sets nothing. It is vetoed unless that
 * tool was the last one called, and has not succeeded: a model cannot note a failure instead of trying.
 *
 * @param name What the other tool is called.
 * @param flags Variables that keep what the other tool came to.
 */
export function emitFailureNote(
  name: string,
  flags: readonly string[],
  names: NamePool,
): { readonly tool: Vapi.AssistantOverridesToolsAppendItem.Code; readonly name: string } {
  const own = names.take(`${name.slice(0, limits().functionName - "_failed".length)}_failed`);
  return {
    name: own,
    tool: {
      type: "code",
      function: {
        name: own,
        description: `Notes that ${name} failed. Call it only right after ${name} answered with an error.`,
        parameters: { type: "object", properties: {} },
      },
      code: 'return { outcome: "failed" };',
      messages: [],
      variableExtractionPlan: { aliases: flags.map((key) => ({ key, value: "{{$.outcome}}" })) },
      rejectionPlan: { conditions: [{ type: "liquid", liquid: vetoUnlessLast(name, own, flags) }] },
    },
  };
}

/** `messages` are the call's, as chat completions have them: the last call of a tool must be the one that failed. */
function vetoUnlessLast(name: string, own: string, flags: readonly string[]): string {
  const tests = flags.map((flag) => `_cw_last == ${liquidText(name)} and ${flag} != "succeeded"`);
  return [
    '{% assign _cw_last = "" %}{% for message in messages %}{% for call in message.tool_calls %}',
    `{% unless call.function.name == ${liquidText(own)} %}{% assign _cw_last = call.function.name %}{% endunless %}`,
    "{% endfor %}{% endfor %}",
    `{% if ${tests.join(" or ")} %}false{% else %}true{% endif %}`,
  ].join("");
}
