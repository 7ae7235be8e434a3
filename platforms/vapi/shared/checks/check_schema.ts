import type { Path } from "../../../../src/base/errors.ts";
import { getAt, type JsonObject } from "../../../../src/base/values/mod.ts";
import type { Report } from "../../../platform.ts";
import { named, publishedOn, type Refused, vapiRefusals } from "../../api/mod.ts";

/** Code and hint of a value that Vapi limits, by the end of its path. */
const LIMITS: readonly (readonly [end: RegExp, code: string, hint: string])[] = [
  [/(?:^|\.)(?:assistant|assistantOverrides|membersOverrides)\.name$/, "assistant-name-length", "Rename the node"],
  [/(?:voicemailMessage|endCallMessage|messages\.\d+\.content)$/, "message-length", "Shorten the message"],
  [/endCallPhrases\.\d+$/, "end-call-phrase", "Change or remove the phrase"],
  [/aliases\.\d+\.key$/, "alias-name", "Rename the variable"],
  [/aliases\.\d+\.value$/, "alias-length", "Shorten it"],
  [/tools(?::append)?\.\d+\.(?:function\.)?name$/, "function-name", "Rename the tool"],
  [/\.code$/, "code-length", "Move the code to a server and call it by URL"],
];

/** End of the hint for a number out of its range. */
const NEAREST = "the nearest allowed value";

/**
 * Reports what Vapi's published schemas do not allow in an assistant, a squad or a tool: a limit is an error, everything
 * else a warning, because the API accepts more than its schemas.
 *
 * @param placeOf Returns the place in the graph for a path in the body.
 */
export function checkSchema(
  kind: "squad" | "tool",
  body: JsonObject,
  placeOf: (at: Path) => Path,
  report: Report,
): void {
  for (const refused of vapiRefusals(kind, body)) {
    const { path, hint } = refused;
    const at = path.join(".");
    if (refused.isUnknown) {
      const message = `"${named(path).replace(/^members\.\d+\./, "")}" is not in Vapi's published schema of ${publishedOn()}`;
      report("unknown-key", placeOf(path), message, hint, "warning");
      continue;
    }
    const value = getAt(body, path);
    const isLimited = typeof value === "number" || typeof value === "string";
    const [, code, words] = LIMITS.find(([end]) => isLimited && end.test(at)) ?? [];
    if (value === "" && code !== undefined) continue; // a value that is not set yet
    if (code !== undefined) report(code, placeOf(path), refused.message, words ?? hint);
    else if (typeof value === "number" && hint.endsWith(NEAREST))
      report("number-range", placeOf(path), refused.message, "Change the number");
    else report("refused-value", placeOf(path), saidBySchema(refused), hint, "warning");
  }
}

function saidBySchema({ message }: Refused): string {
  return message.replace(/^Vapi (does not accept|needs)/, `Vapi's published schema of ${publishedOn()} $1`);
}
