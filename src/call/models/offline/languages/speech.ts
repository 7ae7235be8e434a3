import type { Language } from "../../../../base/languages/mod.ts";
import { AR } from "./ar.ts";
import { DE } from "./de.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { HI } from "./hi.ts";
import { IT } from "./it.ts";
import { JA } from "./ja.ts";
import { NL } from "./nl.ts";
import { PT } from "./pt.ts";
import type { SpeechTable } from "./table.ts";

/** How people talk on the phone in each language; English has rules of its own. */
export const SPEECH: { readonly [language in Exclude<Language, "en">]: SpeechTable } = {
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  nl: NL,
  hi: HI,
  ja: JA,
  ar: AR,
};
