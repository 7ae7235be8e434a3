import { tagsIn, writtenPlaceholders } from "../../../../src/expressions/mod.ts";
import { expandSnippetsIn } from "../../../lower/mod.ts";
import { emitText, type TextContext } from "../text/mod.ts";

/**
 * The graph's own text of one that was emitted and edited since: snippets and variables are put back where the text still
 * has what was written for them.
 *
 * @param text As it stands in Vapi's JSON.
 * @param before The graph's text that it was emitted from.
 * @returns `undefined` when no text of a graph is emitted as this one.
 */
export function restoreText(text: string, before: string, context: TextContext): string | undefined {
  const { graph } = context;
  const emitted = (part: string) => emitText(expandSnippetsIn(part, context.source), [], context);
  const others = [
    graph.source_metadata.general_prompt ?? "",
    ...Object.values(graph.nodes).map((node) => node.state_prompt),
  ];
  const placeholders = [before, ...others].flatMap((each) =>
    writtenPlaceholders(each).filter((placeholder) => !placeholder.includes('"')),
  );
  let restored = text;
  for (const part of [...new Set([...tagsIn(before), ...placeholders])]) {
    const written = emitted(part);
    if (written !== part && written.trim() !== "") restored = restored.replaceAll(written, () => part);
  }
  return [restored, text].find((candidate) => emitted(candidate) === text);
}
