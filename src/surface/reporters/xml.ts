import { escapeContent, xmlCharacters } from "../../base/values/mod.ts";
/** Attributes of an element; `undefined` leaves one out. */
export type XmlAttributes = { readonly [name: string]: string | number | undefined };

/** Formats an element with a text, or an empty one. */
export function element(name: string, attributes: XmlAttributes, text?: string): string {
  if (text === undefined) return opening(name, attributes).replace(/>$/, "/>");
  return `${opening(name, attributes)}${escapeXml(text)}</${name}>`;
}

/** Formats the start tag of an element. */
export function opening(name: string, attributes: XmlAttributes): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeAttribute(String(value))}"`],
  );
  return `<${name}${list.join("")}>`;
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;").replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
}

/** Escapes a text for XML 1.0 and replaces characters that XML cannot represent. */
function escapeXml(text: string): string {
  return escapeContent(xmlCharacters(text.replaceAll("\r\n", "\n")));
}
