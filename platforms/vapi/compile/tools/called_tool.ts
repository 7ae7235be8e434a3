import type { Vapi } from "@vapi-ai/server-sdk";
import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { limits } from "../../api/mod.ts";
import { URL_VARIABLE } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import type { ToolPlace } from "./emitted_tool.ts";
import { requestOf } from "./request.ts";
import { emitParameters } from "./schema.ts";

type CodeTool = Vapi.AssistantOverridesToolsAppendItem.Code;

/** Seconds that a request may take where the tool does not say. */
const DEFAULT_SECONDS = 20;

/** A tool that makes its request itself, in Vapi's words. */
export interface CalledTool {
  readonly definition: ToolDefinition;
  readonly name: string;
  readonly description: string;
  /** The address, with variables as Liquid. */
  readonly url: string;
}

/**
 * A request whose outcome decides where a call goes on, as a code tool: of a failed API request Vapi sets no variable.
 * The tool answers with `outcome` (`succeeded` or `failed`), and with `result`, the body of the answer, or `error`.
 */
export function emitCalledTool(
  { definition, name, description, url }: CalledTool,
  { path, flags }: Pick<ToolPlace, "path" | "flags">,
  context: EmitContext,
): CodeTool {
  const { method = "POST", timeoutSeconds = DEFAULT_SECONDS } = requestOf(definition);
  // the request times out a second before the tool does, so that the tool can answer
  const seconds = Math.min(timeoutSeconds, limits().codeSeconds - 1);
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
        ...flags.map((key) => ({ key, value: "{{$.outcome}}" })),
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
