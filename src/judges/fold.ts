/** Characters that show only where a line may break: nobody hears them. */
const UNHEARD = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * A text in the form in which texts are compared: without regard to case, to how white space is written, and to how
 * quotes, dashes and dots are set, as models set them as they like. The way over capitals makes letters such as "ß" and
 * "SS" the same; a "ς" is a "σ" wherever it stands.
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
