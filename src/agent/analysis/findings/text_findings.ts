import type { Path } from "../../../base/errors.ts";
import { didYouMean, hasLuhnDigit, ibanRest, own } from "../../../base/values/mod.ts";
import {
  isKnownPlaceholder,
  placeholdersIn,
  replacePlaceholders,
  snippetsIn,
} from "../../../document/expressions/mod.ts";
import type { AgentGraph, AgentNode, Finding } from "../../../document/graph/mod.ts";
import { isElsewhere, knownVariables, listedIds, textsOf } from "../facts/mod.ts";
import { type RepeatedGroup, type RepeatedText, repeatsIn } from "../repeats.ts";
import { languageFindings } from "./language_findings.ts";

/** Words that conditions start with or that carry no meaning of their own. */
const FILLERS = new Set(
  "a an the if when whenever once is are was has have had to of for in on at and or that this their his her its user caller customer client they he she".split(
    " ",
  ),
);

/** A condition without regard to case, punctuation and spaces. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}{}]+/gu, " ")
    .trim();
}

/** The words of a condition that carry its meaning, in alphabetical order. Empty where fewer than two are left. */
export function meaningOf(text: string): string {
  const words = new Set(
    plainWords(text)
      .split(" ")
      .filter((word) => !FILLERS.has(word))
      .map(stem),
  );
  return words.size < 2 ? "" : [...words].sort().join(" ");
}

/** `ask` for `asks`, `asked` and `asking`: enough to see that two conditions use the same words. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ing|ed|s)$/, "") : word;
}

/** Block tags of Handlebars and Mustache, such as `{{#if open}}` and `{{/if}}`, name no variable. */
const BLOCK_TAG = /^[#/^!>]|^else$/;

/** A reference to a secret, which `emit()` fills from the environment. */
const ENVIRONMENT = /^env:[A-Za-z_]\w*$/;

/** Findings for placeholders and snippets that nothing fills. */
export function textFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  const snippets = new Set(Object.keys(graph.snippets));
  return textsOf(graph).flatMap(([path, text]) => [
    ...placeholdersIn(text)
      .filter((name) => !isKnownPlaceholder(name, variables) && !ENVIRONMENT.test(name) && !BLOCK_TAG.test(name))
      .map((name): Finding => {
        const message = `nothing in the graph fills {{${name}}}`;
        const hint = didYouMean(name, variables.keys(), `Give "${name}" to every call, or extract it first`);
        return { code: "undeclared-variable", severity: "info", path, message, hint };
      }),
    ...snippetsIn(text)
      .filter((name) => !snippets.has(name))
      .map((name): Finding => {
        const message = `snippet {%${name}%} does not exist`;
        const hint = didYouMean(name, snippets, `Add "${name}" to "snippets"`);
        return { code: "unknown-snippet", severity: "warning", path, message, hint };
      }),
  ]);
}

/** Findings for what prompts and spoken texts say. */
export function promptFindings(graph: AgentGraph): Finding[] {
  const known = codeNames(graph);
  return [
    ...Object.entries(graph.nodes).flatMap(([id, node]) => [
      ...emptyPrompt(id, node, graph),
      ...toolsElsewhere(id, node, graph, known),
    ]),
    ...spokenFindings(graph),
    ...textsOf(graph).flatMap(([path, text]) =>
      // long ids in URLs look like the numbers of cards
      (path.at(-1) === "url" ? [] : personalDataIn(text)).map(({ kind, shown }): Finding => {
        const message = `the text has ${kind} in it: ${shown}`;
        const hint = "Put a variable in its place, and give it to the calls that need it";
        return { code: "personal-data", severity: "warning", path, message, hint };
      }),
    ),
    ...repeatedTextFindings(graph),
    ...(isAllEnglish(graph) ? [] : languageFindings(graph)),
  ];
}

const FREQUENT = /\b(?:the|an?|to|you|your|and|is|are|of|for|we|in|how|can|i|this|on|it|that|thank|goodbye|hello)\b/gi;
/** At least this share of the words of English texts are frequent ones. */
const ENGLISH_SHARE = 0.3;

/** Settings of platforms that are spoken, too. */
const HAS_MESSAGES = /"(?:voice_?mail_?message|end_?call_?message|first_?message)":/i;

/** Whether each text that is spoken verbatim, and all prompts, are plainly English, as the setting says. */
function isAllEnglish({ source_metadata: head, nodes }: AgentGraph): boolean {
  const all = Object.values(nodes);
  const isFixed = ({ instruction_type: type }: AgentNode) => type === "static_text";
  const fixed = all.filter(isFixed).map(({ state_prompt: text }) => text);
  const prompts = all.filter((node) => !isFixed(node)).map(({ state_prompt: text }) => text);
  const texts = [head.begin_message ?? "", ...fixed, [head.general_prompt ?? "", ...prompts].join(" ")];
  const isEnglish = (text: string) => {
    const words = text.match(/[\p{L}'’]+/gu)?.length ?? 0;
    return words === 0 || (text.match(FREQUENT)?.length ?? 0) >= words * ENGLISH_SHARE;
  };
  return /^en\b|^$/i.test(head.language ?? "") && !HAS_MESSAGES.test(JSON.stringify(head)) && texts.every(isEnglish);
}

/**
 * Conversation nodes without instructions. The entry node needs none if there is a begin message, and the only
 * conversation of an agent needs none if there is a general prompt.
 */
function emptyPrompt(id: string, node: AgentNode, graph: AgentGraph): readonly Finding[] {
  if (node.node_type !== "conversation" || node.state_prompt.trim() !== "" || isElsewhere(node)) return [];
  const { general_prompt: general, begin_message: opening } = graph.source_metadata;
  const talks = Object.values(graph.nodes).filter(({ node_type: type }) => type === "conversation");
  if (talks.length === 1 && (general ?? "").trim() !== "") return [];
  if (id === graph.entry_node_id && (opening ?? "").trim() !== "") return [];
  const message = `conversation node "${id}" has no prompt, so the model decides on its own what to say`;
  return [
    { code: "empty-prompt", severity: "warning", path: ["nodes", id, "state_prompt"], message, hint: "Write a prompt" },
  ];
}

/** Matches a name after a verb such as "call": without the verb, a tool's name may refer to its result. */
const CALLED = /\b(?:call|invoke|use|run|execute|trigger)\s+(?:the\s+)?(?:tool\s+|function\s+)?[`"']?([A-Za-z]\w*)/gi;

/** Tool names that look like code, so that a prompt that contains one can only mean the tool. */
function codeNames(graph: AgentGraph): ReadonlySet<string> {
  const names = Object.values(graph.nodes).flatMap(({ tools }) => tools.map(({ name }) => name));
  return new Set(
    names.filter((name) => /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$|^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(name)),
  );
}

/** Tools that a prompt names but only other nodes have. A transition to such a node explains the name. */
function toolsElsewhere(
  id: string,
  node: AgentNode,
  graph: AgentGraph,
  known: ReadonlySet<string>,
): readonly Finding[] {
  if (known.size === 0 || node.node_type !== "conversation") return [];
  const words = [...node.state_prompt.matchAll(CALLED)].map(([, name = ""]) => name);
  const named = [...new Set(words)].filter((word) => known.has(word) && !node.tools.some(({ name }) => name === word));
  return named.flatMap((name): Finding[] => {
    const leads = node.transitions.some(({ target_node_id: target }) => {
      return target === name || own(graph.nodes, target)?.tools.some((tool) => tool.name === name);
    });
    if (leads || Object.hasOwn(graph.nodes, name)) return [];
    const message = `the prompt of node "${id}" names tool "${name}", which only other nodes have`;
    const hint = `Give the tool to node "${id}", or lead to the node that has it`;
    return [{ code: "tool-not-on-node", severity: "warning", path: ["nodes", id, "state_prompt"], message, hint }];
  });
}

interface Unspeakable {
  readonly code: string;
  readonly what: string;
  readonly pattern: RegExp;
  readonly hint: string;
}

/** Finds text that a voice cannot read out, or reads out wrongly. SSML tags are left out: voices read them. */
const UNSPEAKABLE: readonly Unspeakable[] = [
  {
    code: "spoken-url",
    what: "a web address",
    pattern: /\bhttps?:\/\/\S+|\bwww\.\S+/i,
    hint: "Say where to find it in words, or send it as a message",
  },
  {
    code: "spoken-markup",
    what: "markup",
    pattern:
      /\*\*[^*\n]+\*\*|^#{1,6} \S|^\s*[-*•] \S|`[^`\n]+`|<\/?(?:b|i|u|p|br|div|span|strong|em|ul|ol|li|a|h[1-6])\b[^>]*>|\[[^\]\n]+\]\([^)\n]+\)/im,
    hint: "Write it as plain sentences",
  },
  {
    code: "spoken-digits",
    what: "digits without grouping",
    pattern: /(?<![\w.,-])\+?\d{7,}(?![\w])/,
    hint: "Group the digits as they should be spoken: 555 010 44 20",
  },
];

/** Findings for fixed words that a voice cannot say: the begin message and texts that are spoken verbatim. */
function spokenFindings(graph: AgentGraph): readonly Finding[] {
  const texts: readonly (readonly [Path, string])[] = [
    [["source_metadata", "begin_message"], graph.source_metadata.begin_message ?? ""],
    ...Object.entries(graph.nodes).flatMap(([id, { instruction_type: type, state_prompt: text }]) =>
      type === "static_text" ? [[["nodes", id, "state_prompt"], text] as const] : [],
    ),
  ];
  return texts.flatMap(([path, text]) => {
    const words = replacePlaceholders(text, () => "it");
    return UNSPEAKABLE.flatMap(({ code, what, pattern, hint }): Finding[] => {
      const found = pattern.exec(words)?.[0];
      if (found === undefined) return [];
      const message = `the text that is spoken verbatim has ${what} in it: ${JSON.stringify(found.trim())}`;
      return [{ code, severity: "warning", path, message, hint }];
    });
  });
}

/**
 * Findings for paragraphs that several nodes repeat, word by word or nearly: a snippet keeps them the same. Paragraphs
 * that the same nodes share are one finding.
 */
function repeatedTextFindings(graph: AgentGraph): readonly Finding[] {
  const { groups, similar, nameOf } = repeatsIn(graph);
  const nearly = similar.flatMap(({ main, pairs }) => pairs.map((pair) => similarText(pair, nameOf(main))));
  return [...groups.map((group) => repeatedText(group, nameOf(group.texts[0]))), ...nearly];
}

function repeatedText({ nodes, texts }: RepeatedGroup, name: string): Finding {
  const [{ text }] = texts;
  const more = texts.length > 1 ? ` and ${texts.length - 1} more` : "";
  return {
    code: "repeated-text",
    severity: "info",
    path: ["nodes", nodes[0] ?? "", "state_prompt"],
    message: `the prompts of ${listedIds(nodes)} repeat the paragraph "${text.slice(0, 60).trim()}…"${more}`,
    hint: `Write it once as a snippet and use {%${name}%} in its place`,
  };
}

function similarText([one, other]: readonly [RepeatedText, RepeatedText], name: string): Finding {
  const nodes = [...new Set([...one.nodes, ...other.nodes])];
  const message = `the prompts of ${listedIds(nodes)} have nearly the same paragraph: "${one.text.slice(0, 60).trim()}…" and "${other.text.slice(0, 60).trim()}…"`;
  const hint = `If they should be the same, write it once as a snippet and use {%${name}%}`;
  return { code: "similar-text", severity: "info", path: ["nodes", nodes[0] ?? "", "state_prompt"], message, hint };
}

/** Masks personal data of a text for a message. */
export interface PersonalData {
  readonly kind: string;
  readonly shown: string;
}

/** Mail services for private persons; a company's own address is no personal data. */
const PRIVATE_MAIL =
  /\b[\w.+-]+@(?:gmail|googlemail|yahoo|hotmail|outlook|icloud|aol|gmx|web|proton(?:mail)?)\.[a-z]{2,}\b/gi;
const CARD = /(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;
const SOCIAL_SECURITY = /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g;
/** Numbers and names that documents use as examples. */
const EXAMPLE =
  /^(?:123-45-6789|078-05-1120|(?:4111|4242|5555|3782|1234)[\d -]*|(?:john|jane|name|user|example|test|your)[\w.+-]*@.*)$/i;

/**
 * Personal data that a text holds: payment cards and bank accounts with the right check digits, social security numbers,
 * and addresses at mail services for private persons. Well-known examples are left out.
 */
export function personalDataIn(text: string): readonly PersonalData[] {
  if (!/[@\d]/.test(text)) return [];
  const find = (kind: string, pattern: RegExp, isReal: (found: string) => boolean) =>
    [...new Set((text.match(pattern) ?? []).map((found) => found.trim()))]
      .filter((found) => !EXAMPLE.test(found) && isReal(found))
      .map((found) => ({ kind, shown: `${found.slice(0, 3)}…` }));
  return [
    ...find("a private mail address", PRIVATE_MAIL, () => true),
    ...find("a payment card's number", CARD, isCard),
    ...find("a bank account's number", IBAN, isIban),
    ...find("a social security number", SOCIAL_SECURITY, () => true),
  ];
}

/** Whether digits are the number of a payment card. */
function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, "");
  return /^[3-6]/.test(found) && hasLuhnDigit(digits);
}

function isIban(found: string): boolean {
  return ibanRest(found.replace(/ /g, "")) === 1;
}
