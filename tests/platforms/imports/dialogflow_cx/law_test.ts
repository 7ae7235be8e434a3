import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent, parseGraph } from "../../../../mod.ts";
import * as fc from "../../../fast_check.ts";
import { lostParts, type Parts } from "../_law.ts";

const PAGES = ["a", "b", "c d", "__proto__", "constructor", "a form", "end of the flow", "Start"];
const CONDITIONS = [
  "true",
  '$page.params.status = "FINAL"',
  '$session.params.x = "1" OR NOT ($session.params.y > 3 AND $page.params.z != null)',
  "$sys.func.LEN($session.params.x) = 10",
  "$session.params.x.day < $session.params.y",
  "((",
];
const TARGETS = [...PAGES, "End Flow", "END_SESSION", "Current Page", "Start Page", "Previous Page", "gone"];

const fulfillment = fc.record({
  says: fc.boolean(),
  ends: fc.constantFrom(undefined, "endInteraction", "telephonyTransferCall", "liveAgentHandoff"),
  webhook: fc.constantFrom(undefined, "hook", "gone"),
  cases: fc.constantFrom(0, 1, 2),
  sets: fc.boolean(),
});
const route = fc.record({
  intent: fc.constantFrom(undefined, "yes", "Default Welcome Intent", "constructor"),
  condition: fc.constantFrom(undefined, ...CONDITIONS),
  targetPage: fc.constantFrom(undefined, ...TARGETS),
  targetFlow: fc.constantFrom(undefined, undefined, undefined, "Start", "Other", "gone"),
  acts: fulfillment,
});
const place = fc.record({
  name: fc.constantFrom(...PAGES),
  entry: fulfillment,
  routes: fc.array(route, { maxLength: 3 }),
  handlers: fc.array(
    fc.tuple(fc.constantFrom("sys.no-match-1", "sys.no-input-default", "webhook.error", "own"), route),
    {
      maxLength: 2,
    },
  ),
  parameters: fc.array(fc.tuple(fc.constantFrom("x", "y z", "__proto__"), fc.boolean()), { maxLength: 2 }),
});

type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never;
type Acts = Place["entry"];

/** Texts of a document, all different, with their paths. */
class Texts {
  readonly all: { text: string; path: readonly (string | number)[] }[] = [];

  next(path: readonly (string | number)[]): string {
    const text = `T${this.all.length}.`;
    this.all.push({ text, path });
    return text;
  }
}

function written({ says, ends, webhook, cases, sets }: Acts, path: readonly (string | number)[], texts: Texts) {
  const messages = [
    ...(says ? [{ text: { text: [texts.next([...path, "messages", 0])] } }] : []),
    ...(ends === undefined ? [] : [{ [ends]: { phoneNumber: "+15550100" } }]),
  ];
  const list = Array.from({ length: cases }, (_, at) => ({
    ...(at === 0 ? { condition: '$session.params.x = "1"' } : {}),
    caseContent: [{ message: { text: { text: [texts.next([...path, "conditionalCases", 0, "cases", at])] } } }],
  }));
  return {
    messages,
    ...(webhook === undefined ? {} : { webhook }),
    ...(cases > 0 ? { conditionalCases: [{ cases: list }] } : {}),
    ...(sets
      ? { setParameterActions: [{ parameter: "x", value: texts.next([...path, "setParameterActions", 0]) }] }
      : {}),
  };
}

function fileOf({ name, entry, routes, handlers, parameters }: Place, path: string, texts: Texts) {
  const at = ["files", path];
  const routed = ({ acts, ...each }: Place["routes"][number], place: readonly (string | number)[]) => ({
    ...each,
    triggerFulfillment: written(acts, [...place, "triggerFulfillment"], texts),
  });
  return {
    displayName: name,
    entryFulfillment: written(entry, [...at, "entryFulfillment"], texts),
    form: {
      parameters: parameters.map(([displayName, required], index) => {
        const where = [...at, "form", "parameters", index, "fillBehavior", "initialPromptFulfillment"];
        const asked = required ? { messages: [{ text: { text: [texts.next(where)] } }] } : {};
        return { displayName, required, entityType: "@sys.any", fillBehavior: { initialPromptFulfillment: asked } };
      }),
    },
    transitionRoutes: routes.map((each, index) => routed(each, [...at, "transitionRoutes", index])),
    eventHandlers: handlers.map(([event, each], index) => ({
      ...routed({ ...each, intent: undefined, condition: undefined }, [...at, "eventHandlers", index]),
      event,
    })),
  };
}

const agents = fc
  .record({ start: place, other: place, pages: fc.uniqueArray(place, { maxLength: 4, selector: ({ name }) => name }) })
  .map(({ start, other, pages }) => {
    const texts = new Texts();
    const flows = {
      "flows/Start/Start.json": { ...start, name: "Start" },
      "flows/Other/Other.json": { ...other, name: "Other" },
    };
    const named: [string, Place][] = [
      ...Object.entries(flows),
      ...pages.map((each, index): [string, Place] => [`flows/Start/pages/p${index}.json`, each]),
    ];
    const files = Object.fromEntries(named.map(([path, each]) => [path, fileOf(each, path, texts)]));
    const parts: Parts = { nodes: [], texts: texts.all, ways: [] };
    return { document: { files: { "agent.json": { startFlow: "Start" }, ...files } }, parts };
  });

test("every text of a random agent is in the graph, or named in a finding, and no transition leads nowhere", () => {
  fc.assert(
    fc.property(agents, ({ document, parts }) => {
      const imported = importAgent(document);
      const { nodes } = imported.graph;
      assert.deepEqual(lostParts(parts, imported, "dialogflow-cx"), []);
      for (const node of Object.values(nodes))
        for (const { target_node_id: to } of node.transitions) assert.ok(Object.hasOwn(nodes, to), to);
      assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(imported.graph))), imported.graph);
    }),
    { numRuns: 300 },
  );
});
