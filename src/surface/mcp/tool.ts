import * as v from "valibot";
import { UsageError } from "../../base/errors.ts";
import { shown } from "../../base/values/mod.ts";
import type { Answer } from "./answer.ts";
import type { ToolContext } from "./settings.ts";

/** A tool of the server. */
export interface Tool {
  /** Snake case: `read_call`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: v.GenericSchema<unknown, object>;
  /** Where its work is done: code of the project is loaded in a process of its own, afresh each time. */
  readonly runsIn: "server" | "process";
  /** Whether it changes nothing, not even the results database. */
  readonly isReadOnly: boolean;
  /** Whether its answers have words of calls, which are data. */
  readonly hasCalls: boolean;
  /** Whether it may use models that cost money, if its input says so. */
  readonly usesModels: (input: object) => boolean;
  /**
   * Checks the input, and does the work.
   *
   * @throws {UsageError} `usage` for an input that does not fit.
   */
  readonly run: (input: unknown, context: ToolContext) => Promise<Answer>;
}

/** What a tool is made of; see {@link Tool}. */
export interface ToolParts<Schema extends v.GenericSchema<unknown, object>>
  extends Pick<Tool, "name" | "title" | "description">,
    Partial<Pick<Tool, "runsIn" | "isReadOnly" | "hasCalls">> {
  readonly input: Schema;
  readonly run: (input: v.InferOutput<Schema>, context: ToolContext) => Promise<Answer>;
}

/** Makes a tool. */
export function toolOf<Schema extends v.GenericSchema<unknown, object>>(parts: ToolParts<Schema>): Tool {
  const { input: schema, run } = parts;
  return {
    runsIn: "server",
    isReadOnly: true,
    hasCalls: false,
    ...parts,
    usesModels: (input) => "use_model" in input && input.use_model === true,
    run: async (input, context) => {
      const result = v.safeParse(schema, input ?? {});
      if (result.success) return await run(result.output, context);
      throw unfit(parts.name, result.issues);
    },
  };
}

function unfit(name: string, issues: readonly v.BaseIssue<unknown>[]): UsageError {
  const found = issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
    const what = path.length > 0 ? `"${path.join(".")}"` : "the input";
    const isUnknown = issue.expected === "never";
    const message = isUnknown
      ? `${what} is unknown`
      : issue.received === "undefined"
        ? `${what} is missing`
        : `${what} is ${shown(issue.input).slice(0, 100)} and should be ${issue.expected ?? issue.message}`;
    const hint = isUnknown ? "Leave it out" : "Follow the tool's input schema";
    return { code: "usage", path, message, hint } as const;
  });
  const [first] = found;
  return new UsageError(`Cannot use ${name}: ${first?.message ?? "its input does not fit"}`, {
    code: "usage",
    path: first?.path ?? [],
    hint: first?.hint ?? "Follow the tool's input schema",
    issues: found,
  });
}

/** A text of an input, with a limit. */
export function text(description: string, most = 300) {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.description(description));
}

/** Inputs of tools that list something. */
export const PAGE = {
  cursor: v.optional(text("next_cursor of the page before, with the same arguments", 600)),
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100), v.description("Most items of the page")),
  ),
};

/** The id of a run or a call. */
export const ID = (what: string) => text(what, 100);

/** Most names in a list of an input. */
const MOST_NAMES = 200;

/** Names in an input. */
export function names(description: string) {
  return v.pipe(v.array(text("A name")), v.minLength(1), v.maxLength(MOST_NAMES), v.description(description));
}

/** Whether models that cost money are used. */
export const USE_MODEL = v.optional(
  v.pipe(
    v.boolean(),
    v.description(
      "Use the model that the person allowed with callweave mcp --model. It costs money. Default: the offline model, by fixed rules",
    ),
  ),
);
