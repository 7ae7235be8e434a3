import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../src/errors.ts";
import type { ToolDefinition } from "../../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import { URL_VARIABLE } from "./keys.ts";
import { requestOf } from "./request.ts";
import { emitParameters } from "./schema.ts";

type CodeTool = Vapi.AssistantOverridesToolsAppendItem.Code;

/** Seconds that a request may take where the tool does not say. */
const DEFAULT_SECONDS = 20;
/** Vapi's longest `timeoutSeconds` of a code tool; the request is given up a second earlier, so that the tool can answer. */
const MAX_SECONDS = 30;

/**
 * A request whose outcome decides where a call goes on, as a code tool: of a failed API request Vapi sets no variable.
 * The tool answers with `outcome` (`succeeded` or `failed`), and with `result`, the body of the answer, or `error`.
 *
 * @param url The address, with variables as Liquid.
 */
export function emitCalledTool(
  definition: ToolDefinition,
  name: string,
  description: string,
  url: string,
  path: Path,
  context: EmitContext,
): CodeTool {
  const { method = "POST", timeoutSeconds = DEFAULT_SECONDS } = requestOf(definition);
  const seconds = Math.min(timeoutSeconds, MAX_SECONDS - 1);
  return {
    type: "code",
    function: {
      name,
      ...(description ? { description } : {}),
      parameters: emitParameters(definition.parameters, path, context.losses),
    },
    code: codeOf(method, Math.round(seconds * 1000)),
    environmentVariables: [{ name: URL_VARIABLE, value: url }],
    timeoutSeconds: Math.ceil(seconds) + 1,
    variableExtractionPlan: {
      aliases: [
        ...Object.entries(definition.response_variables ?? {}).map(([variable, at]) => {
          const key = context.variables.emitted(variable);
          const inside = at.replace(/^\$/, "").replace(/^(?=[^.[])/, ".");
          return { key, value: `{{ $.result${inside} | default: ${key}, allow_false: true }}` };
        }),
        { key: context.markers.answered(definition.name), value: "{{$.outcome}}" },
      ],
    },
  };
}

function codeOf(method: string, milliseconds: number): string {
  const hasBody = method !== "GET" && method !== "DELETE";
  return [
    "try {",
    "  const url = new URL(env.URL);",
    ...(hasBody
      ? []
      : ["  for (const [name, value] of Object.entries(args)) url.searchParams.set(name, String(value));"]),
    "  const response = await fetch(url, {",
    `    method: "${method}",`,
    ...(hasBody ? ['    headers: { "Content-Type": "application/json" },', "    body: JSON.stringify(args),"] : []),
    `    signal: AbortSignal.timeout(${milliseconds}),`,
    "  });",
    "  const text = await response.text();",
    '  if (!response.ok) return { outcome: "failed", error: "HTTP " + response.status + " " + text.slice(0, 500) };',
    "  let result = text;",
    "  try { result = JSON.parse(text); } catch {}",
    '  return { outcome: "succeeded", result };',
    "} catch (error) {",
    '  return { outcome: "failed", error: String(error) };',
    "}",
  ].join("\n");
}
