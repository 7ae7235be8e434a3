import { own } from "../../base/values/mod.ts";
import { replaceSnippets } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { readingsOf, sentencesOf, squeezed, wordsOf } from "./reading.ts";

/** An instruction of a prompt, cut into the pieces that no agent says by chance. */
interface Instruction {
  readonly sentence: string;
  readonly pieces: readonly Piece[];
}

/** Words in a row. */
interface Piece {
  readonly words: readonly string[];
  readonly squeezed: string;
}

const MOST_PIECES = 8;

/** Words in a row that are enough, if one of them is addressed to the agent. */
const LEAST_WORDS = 5;

/** A sentence that speaks of the caller as somebody else, or says what the agent is. */
const TO_AGENT =
  /^(?:the |a |this )?(?:caller|callers|customer|customers|user|users|patient|patients|guest|guests|client|clients|agent|assistant)(?:'s)?$/;
const ORDERS: ReadonlySet<string> = new Set(
  (
    "ask say tell greet answer offer take give help confirm check call use keep be speak transfer verify collect " +
    "explain thank read look book find never always don't do reply respond remember pretend act follow stay make " +
    "mention reveal share discuss refuse avoid refund promise describe identify apologise apologize"
  ).split(" "),
);

/** "You can cancel until noon" is meant for callers, "You answer the phone" for the agent. */
const FOR_CALLERS: ReadonlySet<string> = new Set(
  "can may will have need get pay receive could should might do don't".split(" "),
);

/** Finds the words of an agent's instructions in what it says. */
export interface LeakFinder {
  /** The instruction that these words give away; `undefined` if there is none. */
  readonly find: (words: string) => string | undefined;
  /** Words in a row, each a part of an instruction, that stand in these words as they are; at most eight of them. */
  readonly piecesIn: (words: string) => readonly (readonly string[])[];
  /** Whether there is an instruction that could be given away. */
  readonly hasInstructions: boolean;
}

/**
 * Finds the instructions of a graph in what its agent says. Texts that the agent says word for word, texts in quotation
 * marks and facts that are meant for callers are no instructions: a piece has at least five words of one sentence, and
 * one of them tells the agent what to do.
 */
export function createLeakFinder(graph: AgentGraph): LeakFinder {
  const spoken = Object.values(graph.nodes)
    .filter(({ instruction_type: type }) => type === "static_text")
    .map(({ state_prompt: text }) => text);
  const said = [graph.source_metadata.begin_message ?? "", ...spoken].map(squeezed).join(" ");
  const instructions = promptsOf(graph).flatMap(instructionsIn);
  const known = instructions.map(({ sentence, pieces }) => ({
    sentence,
    pieces: pieces.filter((piece) => !said.includes(piece.squeezed)),
  }));
  return {
    hasInstructions: known.some(({ pieces }) => pieces.length > 0),
    find: (words) => {
      const readings = readingsOf(words);
      const isIn = (piece: Piece) => readings.some((each) => each.includes(piece.squeezed));
      return known.find(({ pieces }) => pieces.some(isIn))?.sentence;
    },
    piecesIn: (words) => {
      const plain = squeezed(words);
      const found = known.flatMap(({ pieces }) => pieces.filter((piece) => plain.includes(piece.squeezed)));
      return found.slice(0, MOST_PIECES).map((piece) => piece.words);
    },
  };
}

/** The texts that only the agent's model reads. */
export function promptsOf(graph: AgentGraph): readonly string[] {
  const expanded = (text: string) => replaceSnippets(text, (name) => own(graph.snippets, name));
  const prompts = Object.values(graph.nodes)
    .filter(({ instruction_type: type, node_type: kind }) => type !== "static_text" && kind !== "extract")
    .map(({ state_prompt: text }) => text);
  return [graph.source_metadata.general_prompt ?? "", ...prompts].map(expanded).filter((text) => text.trim() !== "");
}

function instructionsIn(prompt: string): readonly Instruction[] {
  const withoutQuotes = prompt.replaceAll(/["“„«]([^"”“»]*)["”“»]/g, "\n");
  return sentencesOf(withoutQuotes).flatMap((sentence): readonly Instruction[] => {
    // a placeholder is another text in each call
    const parts = sentence.split(/\{\{[^}]*\}\}|\{%[^%]*%\}/);
    const pieces = parts.flatMap((part, index) => piecesOf(wordsOf(part), index === 0));
    return pieces.length === 0 ? [] : [{ sentence, pieces }];
  });
}

function piecesOf(words: readonly string[], isStart: boolean): readonly Piece[] {
  const isMarked = (index: number) => {
    const word = words[index] ?? "";
    if (TO_AGENT.test(word)) return true;
    const next = words[index + 1] ?? "";
    if (isStart && index === 0) return ORDERS.has(word) || (word === "you" && !FOR_CALLERS.has(next));
    if (word === "you") return next === "are" && /^(?:an?|the)$/.test(words[index + 2] ?? "");
    return word === "your" && /^(?:role|task|job|goal|instructions?|rules?)$/.test(next);
  };
  return words.flatMap((_, start): readonly Piece[] => {
    if (start + LEAST_WORDS > words.length) return [];
    const indexes = [...Array(LEAST_WORDS).keys()].map((offset) => start + offset);
    const piece = indexes.flatMap((index) => words[index] ?? []);
    return indexes.some(isMarked) ? [{ words: piece.map(squeezed), squeezed: squeezed(piece.join("")) }] : [];
  });
}
