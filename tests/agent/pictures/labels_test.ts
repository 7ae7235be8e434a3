import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../../../api/analysis.ts";
import { parseGraph } from "../../../mod.ts";

const PREFIX = "conversation_1751297180399 > ";

/** The titles of the boxes of a picture. */
function titlesOf(format: "svg" | "mermaid", ids: readonly string[], name?: (id: string) => string): readonly string[] {
  const nodes = ids.map((id) => [id, name ? { metadata: { retell: { name: name(id) } } } : {}] as const);
  const graph = parseGraph({ entry_node_id: ids[0], nodes: Object.fromEntries(nodes) });
  const text = draw(graph, { format });
  return format === "svg"
    ? [...text.matchAll(/<text[^>]*>([^<]*)</g)].map(([, title = ""]) => title.replaceAll("&gt;", ">"))
    : [...text.matchAll(/^ {2}n\d+\["([^"]*)"\]/gm)].map(([, title = ""]) => title.replaceAll("#62;", ">"));
}

test("pictures show the names that a platform's dashboard shows", () => {
  const ids = ["node-1759299298668", "node-1759299298669"];
  for (const format of ["svg", "mermaid"] as const)
    assert.deepEqual(
      titlesOf(format, ids, (id) => (id.endsWith("8") ? "Identify Appointment" : "Book")),
      ["Identify Appointment", "Book"],
    );
});

test("long names are shortened in the middle, so that nodes with one beginning differ", () => {
  const ids = ["apiRequest_1759845130138", "apiRequest_1759845130139", "hang_up_and_say_goodbye"].map(
    (each) => PREFIX + each,
  );
  for (const format of ["svg", "mermaid"] as const) {
    const titles = titlesOf(format, ids);
    assert.equal(new Set(titles).size, ids.length, titles.join(", "));
    for (const [index, title] of titles.entries()) {
      assert.ok(title.startsWith("conversation_") && title.includes("…"), title);
      assert.ok(title.endsWith(ids[index]?.slice(-8) ?? ""), title);
    }
  }
});

test("names that differ only in the middle are shown whole", () => {
  const ids = ["one", "two"].map((each) => `${"a".repeat(30)}${each}${"b".repeat(30)}`);
  for (const format of ["svg", "mermaid"] as const) assert.deepEqual(titlesOf(format, ids), ids);
});
