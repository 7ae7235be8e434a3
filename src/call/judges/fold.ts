/** Invisible characters, which have no sound. */
const UNHEARD = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * Normalizes a text for comparison: case, white space, quotes, dashes and ellipses, which models write differently.
 * Upper-casing first makes "ß" equal to "SS"; "ς" becomes "σ".
 */
export function foldText(text: string): string {
  return text
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(UNHEARD, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\u2018-\u201b\u02bc\u00b4\u2032\u0060]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...");
}
