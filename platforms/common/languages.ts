import { retellLanguages } from "../retell/mod.ts";
import { vapiLanguages } from "../vapi/mod.ts";

/**
 * Returns a platform's tag for a language: the same one, else the language in any region (`de` for `de-AT`, `de-DE` for
 * `de`); `undefined` if the platform does not support the language.
 */
export function languageOf(platform: "retell" | "vapi", tag: string): string | undefined {
  const known = platform === "retell" ? retellLanguages() : vapiLanguages();
  const [base = ""] = tag.toLowerCase().split("-");
  return (
    known.find((each) => each.toLowerCase() === tag.toLowerCase()) ??
    known.find((each) => each === base) ??
    known.find((each) => each.startsWith(`${base}-`))
  );
}
