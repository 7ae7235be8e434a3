import { firstSentence } from "./doc_lines.ts";
import { printMembers, printParameters, printType, printTypeParameters } from "./print_type.ts";
import type { PublicSymbol } from "./symbols.ts";
import { ENTRIES, TASKS, TOPICS, type Topic } from "./topics.ts";

const NOTE = "<!-- Generated from the docstrings by `npm run docs`. -->";

/** The page and anchor of a symbol. */
interface Place {
  readonly page: string;
  readonly anchor: string;
}

/** The pages of the reference by file name. */
export function referencePages(symbols: readonly PublicSymbol[]): ReadonlyMap<string, string> {
  const byTopic = new Map(TOPICS.map((topic) => [topic, [] as PublicSymbol[]]));
  for (const symbol of symbols) byTopic.get(topicOf(symbol))?.push(symbol);
  for (const list of byTopic.values()) list.sort(inOrder);
  const places = placesOf(byTopic);
  return new Map([
    ["README.md", landingPage(byTopic, places)],
    ...[...byTopic].map(([topic, list]) => [`${topic.page}.md`, topicPage(topic, list, places)] as const),
  ]);
}

function topicOf(symbol: PublicSymbol): Topic {
  const topic = TOPICS.find(({ has }) => has(symbol));
  if (!topic) throw new Error(`no page has ${symbol.name}`);
  return topic;
}

const RANK = { function: 0, variable: 1, class: 2, interface: 3, typeAlias: 3 } as const;

/** Functions first, then classes, then types, each by name. */
function inOrder(one: PublicSymbol, other: PublicSymbol): number {
  const byName = one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
  return RANK[one.kind] - RANK[other.kind] || byName;
}

/** Anchors like GitHub's: equal headings are numbered. */
function placesOf(byTopic: ReadonlyMap<Topic, readonly PublicSymbol[]>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const [{ page }, list] of byTopic) {
    const seen = new Map<string, number>();
    for (const { name } of list) {
      const slug = name.toLowerCase();
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      places.set(name, { page, anchor: count === 0 ? slug : `${slug}-${count}` });
    }
  }
  return places;
}

function landingPage(byTopic: ReadonlyMap<Topic, readonly PublicSymbol[]>, places: ReadonlyMap<string, Place>): string {
  const all = [...byTopic.values()].flat();
  const nameOf = (name: string) => (all.find((each) => each.name === name)?.kind === "function" ? `${name}()` : name);
  const link = (name: string) => {
    const place = places.get(name);
    if (!place) throw new Error(`the landing page names ${name}, which is not exported`);
    return `[\`${nameOf(name)}\`](${place.page}.md#${place.anchor})`;
  };
  return lines(
    "# API reference",
    NOTE,
    "## By task",
    TASKS.map(([task, names]) => `- ${task}: ${names.map(link).join(", ")}`).join("\n"),
    "## Pages",
    [...byTopic.keys()]
      .toReversed()
      .map(({ page, title, about }) => `- [${title}](${page}.md): ${about}`)
      .join("\n"),
    "## Entry points",
    Object.entries(ENTRIES)
      .map(([name, what]) => `- \`${name}\`: ${what} (${all.filter(({ entry }) => entry === name).length} names)`)
      .join("\n"),
    "## All names",
    [...all]
      .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
      .map((symbol) => `- ${link(symbol.name)}: ${linked(firstSentence(symbol), places, "")}`)
      .join("\n"),
  );
}

function topicPage(
  { page, title, about }: Topic,
  list: readonly PublicSymbol[],
  places: ReadonlyMap<string, Place>,
): string {
  return lines(`# ${title}`, NOTE, about, ...list.map((symbol) => section(symbol, page, places)));
}

function section(symbol: PublicSymbol, page: string, places: ReadonlyMap<string, Place>): string {
  const { name, kind, entry, doc, tags, def } = symbol;
  const parts = [`## ${kind === "function" ? `${name}()` : name}`];
  if (entry !== "callweave") parts.push(`From \`${entry}\`.`);
  parts.push(linked(doc, places, page));
  parts.push(`\`\`\`ts\n${signature(symbol)}\n\`\`\``);
  const object = kind === "interface" || kind === "class" ? def : objectIn(symbol);
  const members = object ? printMembers(object) : [];
  const explained = members.filter((member) => member.doc !== "" && member.name !== "");
  if (explained.length > 0)
    parts.push(explained.map((each) => `- \`${each.name}\`: ${linked(inline(each.doc), places, page)}`).join("\n"));
  const told = tags.flatMap((tag): readonly string[] => {
    const text = linked(inline(tag.doc ?? ""), places, page);
    if (tag.kind === "param") return [`- \`${tag.name}\`: ${text}`];
    if (tag.kind === "return") return [`- Returns: ${text}`];
    if (tag.kind === "throws") return [`- Throws ${tag.tsType?.repr ? `\`${tag.tsType.repr}\`: ` : ""}${text}`];
    return [];
  });
  if (told.length > 0) parts.push(told.join("\n"));
  for (const tag of tags) if (tag.kind === "example" && tag.doc) parts.push(tag.doc.trim());
  return parts.join("\n\n");
}

/** The object type that a type is another name for. */
function objectIn({ kind, def }: Pick<PublicSymbol, "kind" | "def">): PublicSymbol["def"] | undefined {
  return kind === "typeAlias" && def.tsType.kind === "typeLiteral" ? def.tsType.value : undefined;
}

function signature({ name, kind, def }: PublicSymbol): string {
  if (kind === "function") {
    const one = `function ${name}${printTypeParameters(def.typeParams)}(${printParameters(def.params)}): ${printType(def.returnType)}`;
    if (one.length <= 110) return one;
    const parameters = (def.params ?? []).map((each: unknown) => `\n  ${printParameters([each as never])},`); // as above, one by one
    return `function ${name}${printTypeParameters(def.typeParams)}(${parameters.join("")}\n): ${printType(def.returnType)}`;
  }
  if (kind === "variable")
    return `const ${name}: ${name === "ERROR_CODES" ? "readonly ErrorCode[]" : printType(def.tsType)}`;
  if (kind === "typeAlias") {
    const head = `type ${name}${printTypeParameters(def.typeParams)} =`;
    const one = `${head} ${printType(def.tsType)}`;
    const object = objectIn({ kind, def });
    if (one.length > 110 && object)
      return `${head} {${printMembers(object)
        .map(({ text }) => `\n  ${text};`)
        .join("")}\n}`;
    if (one.length <= 110 || def.tsType.kind !== "union") return one;
    return `${head}${def.tsType.value.map((each: never) => `\n  | ${printType(each)}`).join("")}`;
  }
  const bases = kind === "class" ? [def.extends].filter(Boolean) : (def.extends ?? []).map(printType);
  const head = `${kind} ${name}${printTypeParameters(def.typeParams)}${bases.length > 0 ? ` extends ${bases.join(", ")}` : ""}`;
  const members = printMembers(def).map(({ text }) => `\n  ${text};`);
  return members.length === 0 ? `${head} {}` : `${head} {${members.join("")}\n}`;
}

/** Converts links of docstrings, `{@link name}`, to Markdown. */
function linked(text: string, places: ReadonlyMap<string, Place>, from: string): string {
  return text.replace(/\{@link (\w+)\}/g, (_, name: string) => {
    const place = places.get(name);
    if (!place) return `\`${name}\``;
    return `[\`${name}\`](${place.page === from ? "" : `${place.page}.md`}#${place.anchor})`;
  });
}

function inline(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " ");
}

function lines(...parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
