import { escapeContent, oneLine, xmlCharacters } from "../../../base/values/mod.ts";

/**
 * Escapes untrusted text for one line of Markdown. Punctuation becomes character references, which GitHub shows but
 * never reads as Markdown, HTML, a link or a table cell.
 *
 * @see https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Escapes untrusted text for HTML, line breaks kept. */
export function escapeHtml(text: string): string {
  return escapeContent(xmlCharacters(text));
}

/** Escapes the message of a workflow command. */
export function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes a property of a workflow command, such as its title. */
export function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
