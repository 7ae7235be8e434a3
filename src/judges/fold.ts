/**
 * A text in the form in which texts are compared without regard to case and to how white space is written. The way
 * over capitals makes letters such as "ß" and "SS" the same.
 */
export function foldText(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().replace(/\s+/g, " ").trim();
}

/** Like {@link foldText}, and without regard to how quotes, dashes and dots are set: models set them as they like. */
export function foldQuoted(text: string): string {
  return foldText(text)
    .replace(/[\u2018\u2019\u201a\u2032\u0060]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...");
}
