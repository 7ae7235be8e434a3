import type { JsonObject } from "../../../src/base/values/mod.ts";
import { bareName, placeholderContents } from "../../../src/document/expressions/mod.ts";
import { ALWAYS, all, any, compared, different, type Logic, textOf, words } from "../shared/mod.ts";
import type { References } from "./references.ts";

/** Reads the conditions of a transition of a split, of which all have to hold. */
export function logicOf(conditions: readonly JsonObject[], input: unknown, references: References): Logic {
  const parts = conditions.map((each) => clauseOf(each, textOf(input), references));
  return parts.length === 0 ? ALWAYS : parts.length === 1 && parts[0] ? parts[0] : all(...parts);
}

/** What has no equation, in words; others are words already. */
const WORDS: { readonly [type: string]: string } = {
  regex: "matches the regular expression",
  equal_to: "is",
  not_equal_to: "is not",
  matches_any_of: "is one of",
  does_not_match_any_of: "is none of",
};

function clauseOf({ type, value, arguments: given }: JsonObject, input: string, references: References): Logic {
  const [first] = Array.isArray(given) ? given : [given];
  const subject = textOf(first).trim() || input.trim();
  const right = references.fill(textOf(value));
  const name = onlyVariable(subject, references);
  const each = right.split(",").map((part) => part.trim());
  const written = subject === "" ? "the value" : references.fill(subject);
  const inWords = words(`${written} ${WORDS[String(type)] ?? String(type).replaceAll("_", " ")} "${right}"`);
  if (name === undefined) return inWords;
  switch (type) {
    case "equal_to":
      return compared(name, "==", right);
    case "not_equal_to":
      return different(name, "!=", right);
    case "matches_any_of":
      return any(...each.map((part) => compared(name, "==", part)));
    case "does_not_match_any_of":
      return all(...each.map((part) => different(name, "!=", part)));
    case "contains":
      return compared(name, "contains", right);
    case "does_not_contain":
      return different(name, "not_contains", right);
    case "less_than":
      return compared(name, "<", right);
    case "greater_than":
      return compared(name, ">", right);
    case "is_blank":
      return compared(name, "not_exist");
    case "is_not_blank":
      return compared(name, "exists");
    default:
      return inWords;
  }
}

/** The variable of a text that is one reference, such as `{{widgets.menu.Digits}}`. */
function onlyVariable(text: string, references: References): string | undefined {
  const inner = bareName(text);
  if (inner === text || placeholderContents(text).some((content) => content.includes("|"))) return undefined;
  return references.name(inner);
}
