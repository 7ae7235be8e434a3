/** Escapes a text for the content of an XML or HTML element. */
export function escapeContent(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes a text for XML or HTML, also in an attribute. */
export function escapeMarkup(text: string): string {
  return escapeContent(text).replaceAll('"', "&quot;");
}

/** Replaces characters that XML 1.0 cannot represent. */
export function xmlCharacters(text: string): string {
  return text.replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}
