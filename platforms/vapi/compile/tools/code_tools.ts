import { type Names, sortedEntries } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { limits } from "../../api/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { VapiTool } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { answerOr, codeTool, type EmittedTool, emitParameters, type ToolPlace } from "./parts.ts";
import { requestOf } from "./request.ts";

/** Environment variable of a code tool with the URL of its request. */
export const URL_VARIABLE = "URL";

/** Default timeout of a request in seconds. */
const DEFAULT_SECONDS = 20;

/**
 * Emits a request as a code tool if transitions depend on its outcome, because Vapi sets no variable when an API
 * request fails. The tool returns `outcome` (`succeeded` or `failed`), and the response body as `result`, or `error`.
 *
 * @param named Its name in Vapi, description and URL, with variables as Liquid.
 */
export function emitCalledTool(
  definition: ToolDefinition,
  named: { readonly name: string; readonly description?: string; readonly url: string },
  { path, flags }: ToolPlace,
  context: EmitContext,
): VapiTool {
  const { url, ...called } = named;
  const { method = "POST", timeoutSeconds = DEFAULT_SECONDS } = requestOf(definition);
  // the request times out a second before the tool, so that the tool can return the error
  const seconds = Math.min(timeoutSeconds, limits().codeSeconds - 1);
  return {
    type: "code",
    function: {
      ...called,
      parameters: emitParameters(definition.parameters, path, context.losses),
    },
    code: codeOf(method, Math.round(seconds * 1000)),
    environmentVariables: [{ name: URL_VARIABLE, value: url }],
    timeoutSeconds: Math.ceil(seconds) + 1,
    variableExtractionPlan: {
      aliases: [
        ...sortedEntries(definition.response_variables ?? {}).map(([variable, at]) => {
          const key = context.variables.emitted(variable);
          const inside = at.replace(/^\$/, "").replace(/^(?=[^.[])/, ".");
          return { key, value: answerOr(`$.result${inside}`, key) };
        }),
        ...flags.map(outcomeAlias),
      ],
    },
  };
}

const outcomeAlias = (key: string) => ({ key, value: "{{$.outcome}}" });

function codeOf(method: string, milliseconds: number): string {
  const hasBody = method !== "GET" && method !== "DELETE";
  const search = "  for (const [name, value] of Object.entries(args)) url.searchParams.set(name, String(value));\n";
  const body = '    headers: { "Content-Type": "application/json" },\n    body: JSON.stringify(args),\n';
  return `try {
  const url = new URL(env.URL);
${hasBody ? "" : search}  const response = await fetch(url, {
    method: "${method}",
${hasBody ? body : ""}    signal: AbortSignal.timeout(${milliseconds}),
  });
  const text = await response.text();
  if (!response.ok) return { outcome: "failed", error: "HTTP " + response.status + " " + text.slice(0, 500) };
  let result = text;
  try { result = JSON.parse(text); } catch {}
  return { outcome: "succeeded", result };
} catch (error) {
  return { outcome: "failed", error: String(error) };
}`;
}

/**
 * Emits the tool with which the model reports that another tool has failed, because Vapi sets no variable. It is
 * rejected unless the other tool was the last one called and has not succeeded, so the model cannot report a failure
 * without trying.
 *
 * @param called Name of the other tool.
 * @param flags Variables that store the outcome of the other tool.
 */
export function emitFailureNote(called: string, flags: readonly string[], names: Names): EmittedTool {
  const name = names.take(`${called.slice(0, limits().functionName - "_failed".length)}_failed`);
  const description = `Notes that ${called} failed. Call it only right after ${called} answered with an error.`;
  const tool = codeTool({ name, description, code: 'return { outcome: "failed" };', aliases: flags.map(outcomeAlias) });
  const liquid = vetoUnlessLast(called, name, flags);
  return { name, tool: { ...tool, rejectionPlan: { conditions: [{ type: "liquid", liquid }] } } };
}

/** Checks the last tool call in `messages`, which have the shape of chat completions. */
function vetoUnlessLast(called: string, own: string, flags: readonly string[]): string {
  const tests = flags.map((flag) => `_cw_last == ${liquidText(called)} and ${flag} != "succeeded"`);
  return [
    '{% assign _cw_last = "" %}{% for message in messages %}{% for call in message.tool_calls %}',
    `{% unless call.function.name == ${liquidText(own)} %}{% assign _cw_last = call.function.name %}{% endunless %}`,
    "{% endfor %}{% endfor %}",
    `{% if ${tests.join(" or ")} %}false{% else %}true{% endif %}`,
  ].join("");
}
