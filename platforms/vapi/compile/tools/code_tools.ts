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

/** Environment variable of a code tool with the value of a header of its request, by the header's place from 0. */
export const headerVariable = (index: number) => `HEADER_${index + 1}`;

/** Default timeout of a request in seconds. */
const DEFAULT_SECONDS = 20;

/**
 * Emits a request as a code tool if transitions depend on its outcome, because Vapi sets no variable when an API
 * request fails; and if it has headers, because those of an API request are chosen by the model. The tool returns `outcome` (`succeeded` or `failed`), and the response body as `result`, or `error`.
 *
 * @param named Its name in Vapi, description and URL, with variables as Liquid.
 */
export function emitCalledTool(
  definition: ToolDefinition,
  named: { readonly name: string; readonly description?: string; readonly url: string } & {
    /** Converts a text with variables. */
    readonly textOf: (text: string) => string;
  },
  { path, flags }: ToolPlace,
  context: EmitContext,
): VapiTool {
  const { url, textOf, ...called } = named;
  const { method = "POST", timeoutSeconds = DEFAULT_SECONDS, headers = {} } = requestOf(definition);
  // the request times out a second before the tool, so that the tool can return the error
  const most = limits().codeSeconds - 1;
  const seconds = Math.min(timeoutSeconds, most);
  if (timeoutSeconds > most) context.losses.add("tool-timeout", path, timeoutSeconds, most);
  return {
    type: "code",
    function: {
      ...called,
      parameters: emitParameters(definition.parameters, path, context.losses),
    },
    code: codeOf(method, Object.keys(headers), Math.round(seconds * 1000)),
    environmentVariables: [
      { name: URL_VARIABLE, value: url },
      ...Object.values(headers).map((value, index) => ({ name: headerVariable(index), value: textOf(value) })),
    ],
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

function codeOf(method: string, headers: readonly string[], milliseconds: number): string {
  const hasBody = method !== "GET" && method !== "DELETE";
  const search = "  for (const [name, value] of Object.entries(args)) url.searchParams.set(name, String(value));\n";
  const hasType = !hasBody || headers.some((name) => name.toLowerCase() === "content-type");
  const sent = [
    ...(hasType ? [] : ['"Content-Type": "application/json"']),
    ...headers.map((name, index) => `${JSON.stringify(name)}: env.${headerVariable(index)}`),
  ];
  const head = sent.length === 0 ? "" : `    headers: { ${sent.join(", ")} },\n`;
  const body = hasBody ? "    body: JSON.stringify(args),\n" : "";
  return `try {
  const url = new URL(env.URL);
${hasBody ? "" : search}  const response = await fetch(url, {
    method: "${method}",
${head}${body}    signal: AbortSignal.timeout(${milliseconds}),
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
