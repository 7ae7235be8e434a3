import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, type FormatName, formats, type Loss, platformOf } from "../../platforms/mod.ts";
import { retellTables } from "../../platforms/retell/mod.ts";
import type { Path } from "../../src/base/errors.ts";
import { isRecord, nearLanguage, pick, recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../src/document/graph/mod.ts";
import * as fc from "../fast_check.ts";
import { DECOYS, settingGraphs } from "./settings_graphs.ts";

/** Emitted JSON without the graph that Callweave keeps in the metadata for importing it again. */
function active(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(active);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "callweave");
  return Object.fromEntries(entries.map(([key, item]) => [key, active(item)]));
}

/** Returns all values of a key, at any depth. */
function valuesOf(value: unknown, key: string): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, key));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [...(name === key ? [item] : []), ...valuesOf(item, key)]);
}

/** A setting of a graph: its place, and what is found of it in a document. */
interface Setting {
  readonly what: string;
  readonly path: Path;
  /** Any of these texts is the setting. */
  readonly texts: readonly string[];
  /** How a loss may name it, besides its value. */
  readonly key?: string;
}

/** Values of a graph's destinations in the places where they are modelled. */
function destinationTexts(item: object): readonly string[] {
  const metadata = recordAt({ ...item }, "metadata");
  const { transfer_to: to } = { transfer_to: undefined, ...item };
  const places = [recordAt(metadata, "vapi"), recordAt(metadata, "callweave"), recordAt(metadata, "retell")];
  const found = places.flatMap((place) => [
    ...valuesOf(place, "number"),
    ...valuesOf(place, "sipUri"),
    ...valuesOf(place, "prompt"),
    ...valuesOf(place, "assistantName"),
  ]);
  return [...found, to].filter((text): text is string => typeof text === "string");
}

/** A variable's name without braces, as some platforms have it in a destination of its own type. */
const bare = (text: string) => text.replace(/^\{\{\s*|\s*\}\}$/g, "");

/** The leaves of settings that a platform has of its own, each named by the key under its owner. */
function ownSettings(what: string, settings: unknown, path: Path): readonly Setting[] {
  return leavesOf(settings).flatMap(({ keys, value }) => {
    if (["type", "list"].includes(keys.at(-1) ?? "")) return [];
    const key = keys.find((each) => !["agent", "tool", "membersOverrides", "server"].includes(each)) ?? "";
    const text = JSON.stringify(value);
    // a time limit is in seconds or in milliseconds
    const other = typeof value === "number" ? [String(value * 1_000), String(value / 1_000)] : [];
    return [{ what, path, texts: [text, ...other], key }];
  });
}

function leavesOf(
  value: unknown,
  keys: readonly string[] = [],
): readonly { keys: readonly string[]; value: unknown }[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...keys, key]));
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, keys));
  return value === undefined || value === "" ? [] : [{ keys, value }];
}

/** A Vapi import keeps a tool in parts, which only a graph with the rest of that import can give back to Vapi. */
function isKeptElsewhere({ metadata }: ToolDefinition, format: FormatName): boolean {
  return format.startsWith("vapi") && recordAt({ ...metadata }, "vapi").list !== undefined;
}

function templatesIn(text: string, path: Path): readonly Setting[] {
  return [...text.matchAll(/\{\{[^{}]+\}\}/g)].map(([each]) => ({ what: "template", path, texts: [each] }));
}

function settingsOf(graph: AgentGraph, format: FormatName): readonly Setting[] {
  const { language, voice, general_prompt: general, begin_message: begin } = graph.source_metadata;
  const platform = format.startsWith("retell") ? "retell" : format.startsWith("vapi") ? "vapi" : undefined;
  const tags = language ? [language, nearLanguage(retellTables().languages, language) ?? "", language.slice(0, 2)] : [];
  const mine = voice && (platform ? (voice[platform] ?? "no voice") : voice);
  const head = ["source_metadata"];
  return [
    ...(language
      ? [{ what: "language", path: [...head, "language"], texts: tags.filter(Boolean).map((tag) => `"${tag}"`) }]
      : []),
    ...(voice ? [{ what: "voice", path: [...head, "voice"], texts: [JSON.stringify(mine)] }] : []),
    ...["retell", "vapi"].flatMap((owner) => {
      const own = valuesOf(graph.source_metadata[owner], owner === "retell" ? "voice_id" : "voice");
      return own.map((value) => ({ what: "own voice", path: [...head, owner], texts: [JSON.stringify(value)] }));
    }),
    ...["retell", "vapi"].flatMap((owner) => {
      const settings = recordAt(graph.source_metadata, owner);
      const members = recordAt(settings, "membersOverrides");
      const agent = recordAt(settings, "agent");
      const server = {
        ...pick(settings, ["server"]),
        ...pick(agent, ["webhook_url"]),
        ...pick(members, ["endCallMessage"]),
      };
      return ownSettings("setting", server, [...head, owner]);
    }),
    ...templatesIn(String(general), [...head, "general_prompt"]),
    ...templatesIn(String(begin), [...head, "begin_message"]),
    ...Object.values(graph.nodes).flatMap((node): readonly Setting[] => {
      const path = ["nodes", node.id];
      return [
        ...(node.node_type === "transfer" ? destinationTexts(node) : []).map((text) => ({
          what: "transfer",
          path,
          texts: [text, bare(text)],
        })),
        ...node.tools.flatMap((tool, index): readonly Setting[] => {
          const at = [...path, "tools", index];
          return [
            { what: "tool", path: at, texts: [`"${tool.name}"`] },
            ...destinationTexts(tool).map((text) => ({
              what: "transfer of a tool",
              path: at,
              texts: [text, bare(text)],
            })),
            ...(tool.url && [undefined, "custom"].includes(tool.type ?? undefined) && !isKeptElsewhere(tool, format)
              ? ["retell", "vapi"].flatMap((owner) => ownSettings("setting of a tool", tool.metadata?.[owner], at))
              : []),
            ...templatesIn(tool.description, [...at, "description"]),
          ];
        }),
        ...templatesIn(node.state_prompt, [...path, "state_prompt"]),
        ...node.transitions.flatMap(({ condition }, index) =>
          templatesIn(condition.value, [...path, "transitions", index]),
        ),
        ...templatesIn(node.global_node_setting?.condition ?? "", [...path, "global_node_setting"]),
      ];
    }),
  ];
}

const isInside = (path: Path, outer: Path) => outer.every((key, index) => path[index] === key);

/** Whether a loss names a setting: by its value, or as a dropped part that it belongs to. */
function names({ path, message, instead = "", kind, code }: Loss, setting: Setting): boolean {
  if (setting.texts.some((text) => message.includes(text.replace(/^"|"$/g, "")))) return true;
  if (setting.key && isInside(path, setting.path) && message.includes(setting.key)) return true;
  if (code === "tool-renamed" || code === "tool-type" || code === "unknown-tool-type")
    return setting.what === "tool" && isInside(path, setting.path) && instead !== "";
  const holder = setting.what === "template" ? setting.path.slice(0, -1) : setting.path;
  return (
    kind === "dropped" &&
    code !== "tool-url" &&
    (isInside(setting.path, path) || isInside(path, holder)) &&
    path.length > 1
  );
}

function checkLaw(graph: AgentGraph, format: FormatName): void {
  const { config, files = [], losses } = emit(graph, format);
  const document = format === "graph" ? config : active(config);
  const text = JSON.stringify(document) + files.map((file) => file.text).join("\n");
  for (const setting of settingsOf(graph, format)) {
    const isFound = setting.texts.some(
      (each) => text.includes(each) || text.includes(JSON.stringify(each).slice(1, -1)),
    );
    assert.ok(
      isFound || losses.some((loss) => names(loss, setting)),
      `${format}: ${setting.what} ${setting.texts} at ${setting.path.join(".")} is lost\n${losses.map((l) => `${l.code} ${l.path.join(".")} ${l.message}`).join("\n")}`,
    );
  }
  if (format === "graph") return;
  const dialled = [...valuesOf(document, "number"), ...valuesOf(document, "sipUri")].filter((to) => to !== "");
  const modelled = Object.values(graph.nodes).flatMap((node) => [node, ...node.tools].flatMap(destinationTexts));
  for (const to of dialled) {
    assert.ok(!DECOYS.includes(String(to)), `${format} dials ${to}`);
    assert.ok(
      modelled.some((each) => each === to || each.replace(/\W/g, "") === String(to).replace(/\W/g, "")),
      `${format} invents ${to}`,
    );
  }
  checkNames(document, format);
  checkModel(graph, document, format, losses);
}

/** Every tool has a name that the platforms accept. */
function checkNames(document: unknown, format: string): void {
  const listed = ["tools", "general_tools", "tools:append"].flatMap((key) => valuesOf(document, key).flat());
  for (const tool of listed.filter(isRecord)) {
    const name = recordAt(tool, "function").name ?? tool.name;
    if (name !== undefined) assert.match(String(name), /^[a-zA-Z0-9_-]{1,64}$/, format);
  }
}

/** The words of a model's name, without its provider and its versions: every platform has them in its name. */
function wordsOf(model: string): readonly string[] {
  return (
    model
      .replace(/^.*\/|:.*$/g, "")
      .match(/[a-z]{2,}/g)
      ?.filter((word) => word !== "preview") ?? []
  );
}

/** The emitted model is the graph's, and one that the platform lists, or a loss says otherwise. */
function checkModel(
  { default_model: wanted }: AgentGraph,
  document: unknown,
  format: string,
  losses: readonly Loss[],
): void {
  const isNamed = losses.some(({ path }) => path[0] === "default_model");
  const given = format.startsWith("retell")
    ? valuesOf(document, "model_choice").concat(isRecord(document) ? [recordAt(document, "retellLlmData")] : [])
    : [...valuesOf(document, "model"), ...valuesOf(document, "llm").map((model) => ({ model }))];
  const found = given.filter(isRecord).filter(({ model }) => typeof model === "string");
  const names = [...found.map(({ model }) => model), ...given.filter((each) => typeof each === "string")];
  const isWritten = names.some((model) => wordsOf(wanted ?? "").every((word) => String(model).includes(word)));
  assert.ok(!wanted || isNamed || isWritten, `${format} has no model for ${wanted}`);
  for (const { model, provider } of found) {
    const list = format.startsWith("retell")
      ? retellTables().models.model
      : platformOf(format)?.settings.models().models[provider === undefined ? "" : String(provider)];
    assert.ok(isNamed || (list ?? [model]).includes(String(model)), `${format} writes the model ${provider}/${model}`);
  }
}

/** A workflow is emitted only where a workflow was read. */
function prepared(graph: AgentGraph, format: FormatName): AgentGraph {
  if (format !== "vapi-workflow") return graph;
  const { vapi, ...source } = graph.source_metadata;
  // in an imported graph, `voice` is an edit that replaces the imported one
  const own = source.voice ? {} : recordAt({ vapi }, "vapi");
  return { ...graph, source_type: format, source_metadata: { ...source, vapi: { kind: "workflow", ...own } } };
}

for (const { name } of formats().filter(({ imports, emits }) => imports && emits))
  test(`${name}: transfers, voices, languages, tools, models and templates are emitted or named in losses`, {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(settingGraphs, (graph) => checkLaw(prepared(graph, name), name)),
      { numRuns: 500 },
    );
  });
