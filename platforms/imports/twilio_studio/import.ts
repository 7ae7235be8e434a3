import { getAt, isRecord, Names, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { GraphDraft } from "../shared/mod.ts";
import { readWidget, rootOf, type Widget } from "./document.ts";
import { References } from "./references.ts";
import type { Reading } from "./step.ts";
import { addWidget } from "./widgets.ts";

const TITLE = "Twilio Studio flow";

/** Events of the trigger that start a call, the most usual first. */
const CALLS = ["incomingCall", "incomingRequest"];

/** Reads a flow: widgets become nodes, and their events transitions. */
export function importFlow(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const root = rootOf(document);
  if (!root) throw unknownShape(TITLE, "it has no states", ["states"], 'Pass a flow with "initial_state" and "states"');
  const flow = root.length === 0 ? document : getAt(document, root);
  const { states, initial_state: initial, description } = isRecord(flow) ? flow : {};
  const list: readonly unknown[] = Array.isArray(states) ? states : [];
  const found = list.map((state, index) => readWidget(state, [...root, "states", index]));
  const widgets = found.filter((widget) => widget !== undefined);
  const triggers = widgets.filter(({ type }) => type === "trigger");
  const others = widgets.filter(({ type }) => type !== "trigger");
  const draft = new GraphDraft(
    "twilio-studio",
    others.map(({ name }) => name),
    report,
  );
  for (const [index, widget] of found.entries())
    if (!widget) draft.warn("unread-part", [...root, "states", index], "It is no widget with a name", "Give it a name");
  const reading: Reading = {
    draft,
    references: new References(JSON.stringify(list)),
    tools: new Names([], { joint: "_", limit: 60 }),
  };
  for (const widget of others) addWidget(widget, reading);
  const trigger = triggers.find(({ name }) => name === initial);
  const entry = trigger ? entryOf(trigger, draft) : typeof initial === "string" ? initial : undefined;
  for (const each of triggers.filter((each) => each !== trigger))
    draft.warn("unread-part", each.path, `Nothing starts at the trigger "${each.name}"`, "Remove it");
  const language = others
    .map(({ properties }) => properties.language)
    .find((value) => typeof value === "string" && value !== "");
  const name = recordAt({ document }, "document").friendly_name ?? description;
  return draft.graph(entry, [...root, "initial_state"], {
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(typeof language === "string" ? { language } : {}),
  });
}

/** The first widget of a call. What starts with a message, or in another way, is named. */
function entryOf({ exits }: Widget, draft: GraphDraft): string | undefined {
  const starts = exits.filter(({ next }) => next !== undefined);
  const entry =
    CALLS.map((event) => starts.find((exit) => exit.event === event)).find((exit) => exit !== undefined) ?? starts[0];
  for (const { event, next, path } of starts)
    if (next !== entry?.next)
      draft.warn(
        "other-entry",
        path,
        `Calls start with "${entry?.next}"; the start by "${event}" with "${next}" is left out`,
        "Import the flow a second time for it, and change the entry node",
      );
  return entry?.next;
}
