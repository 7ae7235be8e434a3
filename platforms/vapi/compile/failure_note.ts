import type { Vapi } from "@vapi-ai/server-sdk";
import type { ToolDefinition } from "../../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import { liquidText } from "./liquid_text.ts";
import { MAX_FUNCTION_NAME, type NamePool } from "./names.ts";

/**
 * The tool by which a model notes that another one has failed, where Vapi itself sets nothing. It is vetoed unless that
 * tool was the last one called, and has not succeeded: a model cannot note a failure instead of trying.
 *
 * @param name What the other tool is called.
 */
export function emitFailureNote(
  definition: ToolDefinition,
  name: string,
  names: NamePool,
  context: EmitContext,
): { readonly tool: Vapi.AssistantOverridesToolsAppendItem.Code; readonly name: string } {
  const own = names.take(`${name.slice(0, MAX_FUNCTION_NAME - "_failed".length)}_failed`, MAX_FUNCTION_NAME);
  const marker = context.markers.answered(definition.name);
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
      variableExtractionPlan: { aliases: [{ key: marker, value: "{{$.outcome}}" }] },
      rejectionPlan: { conditions: [{ type: "liquid", liquid: vetoUnlessLast(name, own, marker) }] },
    },
  };
}

/** `messages` are the call's, as chat completions have them: the last call of a tool must be the one that failed. */
function vetoUnlessLast(name: string, own: string, marker: string): string {
  return [
    '{% assign _cw_last = "" %}{% for message in messages %}{% for call in message.tool_calls %}',
    `{% unless call.function.name == ${liquidText(own)} %}{% assign _cw_last = call.function.name %}{% endunless %}`,
    "{% endfor %}{% endfor %}",
    `{% if _cw_last == ${liquidText(name)} and ${marker} != "succeeded" %}false{% else %}true{% endif %}`,
  ].join("");
}
