import type { ValueNode } from "@humanwhocodes/momoa";

/** A member of an object or an element of an array, with the text around it. */
export interface JsonPart {
  /** White space before it. */
  readonly lead: string;
  /** Name of a member, and its text with quotes. */
  readonly name?: string;
  readonly nameText?: string;
  /** Text between name and value of a member. */
  readonly colon?: string;
  readonly value: ValueNode;
  /** White space after it, up to the comma. */
  readonly trail: string;
}

/** Parts of a container, and the white space before its closing bracket. Other values have no parts. */
export interface JsonParts {
  readonly parts: readonly JsonPart[];
  readonly closing: string;
}

/** Splits a container of a parsed JSON text into parts. Joining the parts gives the same text. */
export function jsonParts(source: string, node: ValueNode): JsonParts {
  if (node.type !== "Object" && node.type !== "Array") return { parts: [], closing: "" };
  const [open, end] = rangeOf(node);
  const parts: JsonPart[] = [];
  let from = open + 1;
  const children = node.type === "Object" ? node.members : node.elements;
  for (const [index, child] of children.entries()) {
    const [valueStart, valueEnd] = rangeOf(child.value);
    const isLast = index === children.length - 1;
    const comma = isLast ? valueEnd : source.indexOf(",", valueEnd);
    const around = { value: child.value, trail: source.slice(valueEnd, comma) };
    if (child.type === "Member") {
      const [nameStart, nameEnd] = rangeOf(child.name);
      parts.push({
        lead: source.slice(from, nameStart),
        name: child.name.type === "String" ? child.name.value : child.name.name,
        nameText: source.slice(nameStart, nameEnd),
        colon: source.slice(nameEnd, valueStart),
        ...around,
      });
    } else parts.push({ lead: source.slice(from, valueStart), ...around });
    from = isLast ? valueEnd : comma + 1;
  }
  return { parts, closing: source.slice(from, end - 1) };
}

/** Returns the range of a node in its source. */
export function rangeOf({ range = [0, 0] }: { readonly range?: [number, number] }): [number, number] {
  return range;
}

/** Returns the indentation after the last line break in white space. */
export function indentOf(lead: string): string | undefined {
  const at = lead.lastIndexOf("\n");
  return at < 0 ? undefined : lead.slice(at + 1);
}
