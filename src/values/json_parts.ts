import type { ValueNode } from "@humanwhocodes/momoa";

/** A member of an object or an element of an array, with the text around it. */
export interface JsonPart {
  /** White space before it. */
  readonly lead: string;
  /** Of members: the name, and its text with the quotes. */
  readonly name?: string;
  readonly nameText?: string;
  /** Of members: the text between name and value. */
  readonly colon?: string;
  readonly value: ValueNode;
  /** White space behind it, up to the comma. */
  readonly trail: string;
}

/** The parts of a container, and the white space before its closing bracket. Other values have none. */
export interface JsonParts {
  readonly parts: readonly JsonPart[];
  readonly closing: string;
}

/** Takes a container of a parsed JSON text apart. The text is the parts put together again. */
export function partsOf(source: string, node: ValueNode): JsonParts {
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

/** Where a node is in its source. */
export function rangeOf({ range = [0, 0] }: { readonly range?: [number, number] }): [number, number] {
  return range;
}

/** The indentation that white space with a line break ends with. */
export function indentOf(lead: string): string | undefined {
  const at = lead.lastIndexOf("\n");
  return at < 0 ? undefined : lead.slice(at + 1);
}
