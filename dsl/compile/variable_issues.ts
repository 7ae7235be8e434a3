import type { Issue } from "../../src/base/errors.ts";
import { isRecord, shown } from "../../src/base/values/mod.ts";
import type { DocumentOption } from "../document_fields.ts";
import type { AnyTool } from "../tools.ts";
import type { LoosePlatformOptions } from "../typed_fields.ts";
import type { Variables } from "../variables.ts";

const KINDS = ["string", "number", "boolean", "enum"];

/** Returns the problems of a variable's declaration. */
export function variableIssues(flow: string, name: string, variable: unknown): readonly Issue[] {
  const path = [flow, "variables", name];
  const place = `variable "${name}"`;
  if (!isRecord(variable) || !KINDS.some((kind) => kind === variable.type) || !Array.isArray(variable.choices)) {
    const hint = "Make it with text(…), number(…), boolean(…) or choice(…, […])";
    return [{ code: "wrong-type", path, message: `${place} is ${shown(variable)}`, hint }];
  }
  const { type, description, choices, default: value } = variable;
  const issues: Issue[] = [];
  if (typeof description !== "string") {
    const state = description === undefined ? "has no description" : `has the description ${shown(description)}`;
    const hint = "Describe in a text what it holds";
    issues.push({ code: "wrong-type", path, message: `${place} ${state}`, hint });
  }
  if (type === "enum") issues.push(...choiceIssues(choices, place, path));
  if (value === undefined) return issues;
  if (type === "enum") {
    if (choices.map(String).includes(String(value))) return issues;
    const message = `${place} has the default ${shown(value)}, which is not one of its choices`;
    return [...issues, { code: "unknown-choice", path, message, hint: "Use one of its choices" }];
  }
  if (typeof value === type && (type !== "number" || Number.isFinite(value))) return issues;
  const message = `${place} has the default ${shown(value)}`;
  return [...issues, { code: "wrong-type", path, message, hint: `Use a value of type ${type}` }];
}

function choiceIssues(choices: readonly unknown[], place: string, path: Issue["path"]): readonly Issue[] {
  if (choices.length === 0) {
    const hint = 'List its values: choice("…", ["book", "cancel"])';
    return [{ code: "no-choices", path, message: `${place} has no choices`, hint }];
  }
  return choices.flatMap((choice, index): readonly Issue[] => {
    // a number is compared by its digits, because values of variables are texts
    if ((typeof choice !== "string" && !Number.isFinite(choice)) || String(choice).trim() === "") {
      const message = `${place} has the choice ${shown(choice)}`;
      return [{ code: "wrong-type", path: [...path, index], message, hint: "Write it as a text" }];
    }
    if (choices.map(String).indexOf(String(choice)) === index) return [];
    const message = `${place} has the choice "${choice}" twice`;
    return [{ code: "duplicate-choice", path: [...path, index], message, hint: "Remove one of them" }];
  });
}

/** A flow's name and options, without type checks. */
export interface FlowHead extends LoosePlatformOptions, DocumentOption {
  readonly name: string;
  readonly prompt?: string;
  readonly beginMessage?: string;
  readonly startSpeaker?: "agent" | "user";
  readonly start?: string;
  readonly model?: string;
  readonly language?: string;
  readonly voice?: object;
  readonly variables?: Variables;
  readonly snippets?: { readonly [name: string]: string };
  readonly tools?: readonly AnyTool[];
}
