import type { Language, LanguageTable } from "../types.ts";
import { AR } from "./ar.ts";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { HI } from "./hi.ts";
import { IT } from "./it.ts";
import { JA } from "./ja.ts";
import { NL } from "./nl.ts";
import { PT } from "./pt.ts";

/** The table of each language. */
export const TABLES: { readonly [language in Language]: LanguageTable } = {
  en: EN,
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
