import { retellLanguages } from "../retell/mod.ts";
import { vapiLanguages } from "../vapi/mod.ts";

/**
 * A platform's own tag for a language: the same one, else that of the language in any region (`de` for `de-AT`, `de-DE`
 * for `de`); `undefined` where the platform does not know the language.
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
