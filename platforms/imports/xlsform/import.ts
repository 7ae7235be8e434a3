import { shown } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import {
  AFTER_CALLER,
  ALWAYS_TAKEN,
  AT_ONCE,
  all,
  any,
  asked,
  assigned,
  compared,
  conditionsOf,
  GraphDraft,
  isExact,
  type Logic,
  Variables,
} from "../shared/mod.ts";
import { type Form, languageTag, type Row, readForm, translated } from "./document.ts";
import { filledIn, logicOf, type Scope } from "./logic.ts";
import { type Choice, isExternal, type Kind, kindOf } from "./questions.ts";

const TITLE = "XLSForm";

/** With more choices than these, a caller would not listen to all of them. */
const MOST_CHOICES_SAID = 7;

/** Reads a form: questions become nodes that ask and nodes that read the answer, in the order of the rows. */
export function importForm(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const form = readForm(document);
  if (!form)
    throw unknownShape(
      TITLE,
      "it has no questions",
      ["sheets", "survey"],
      'Pass a sheet "survey" with "type" and "name"',
    );
  return new FormReader(form, report).graph();
}

/** Columns of texts, which may be there once for each language. */
const SPOKEN = ["label", "hint", "constraint_message", "required_message"];

/** Columns that are read of a row. */
function columnsOf({ kind, row: { cells } }: Step): readonly string[] {
  const always = ["type", "name", "label", ...(kind.is === "end" ? [] : ["relevant"])];
  if (kind.is === "calculation") return [...always, "calculation", "calculate"];
  if (kind.is !== "question") return always;
  const isRefusing = cells.constraint !== undefined || cells.required !== undefined;
  return [
    ...always,
    "hint",
    "constraint",
    "required",
    ...(isRefusing ? ["constraint_message", "required_message"] : []),
  ];
}

/** A row on its way into the graph. */
interface Step {
  readonly row: Row;
  readonly kind: Kind;
  /** Name of the row, else its type, once in the form. */
  readonly id: string;
  /** Where the call goes on, by the position of a step. */
  readonly next: number;
  /** First step of the group that a row ends, if it is repeated. */
  readonly repeats?: number;
}

class FormReader {
  readonly #form: Form;
  readonly #draft: GraphDraft;
  readonly #language: string | undefined;
  readonly #steps: readonly Step[];
  readonly #variables: Variables;
  readonly #scope: Omit<Scope, "self">;
  /** Languages whose texts are kept and not said. */
  readonly #unread = new Set<string>();
  /** Rows that do nothing in a call, which are kept. */
  readonly #rest: Row["cells"][] = [];

  constructor(form: Form, report: (finding: Finding) => void) {
    this.#form = form;
    this.#language = form.settings.cells.default_language;
    const kinds = form.survey.map((row) => kindOf(row, form, this.#language));
    const ids = form.survey.map(({ cells }) => cells.name ?? cells.type ?? "row");
    this.#draft = new GraphDraft("xlsform", ids, report);
    this.#variables = new Variables(form.survey.flatMap(({ cells }) => (cells.name === undefined ? [] : [cells.name])));
    const variable = (question: string) => this.#variables.name(question);
    const lists = form.survey.filter((_, index) => isList(kinds[index])).map(({ cells }) => variable(cells.name ?? ""));
    this.#scope = { lists: new Set(lists), variable };
    this.#steps = this.#inOrder(kinds, ids);
  }

  graph(): AgentGraph {
    const { settings } = this.#form;
    for (const step of this.#steps) this.#add(step);
    const kept = this.#draft.left(settings.cells, ["form_title", "default_language"], settings.path);
    const language = languageTag(this.#language);
    if (this.#unread.size > 0)
      this.#draft.note(
        "unread-part",
        [...settings.path, "default_language"],
        `Only one language is read; texts in ${[...this.#unread].join(", ")} are kept`,
        "Make an agent for each language",
      );
    return this.#draft.graph(this.#steps.length > 0 ? this.#at(0) : undefined, ["sheets", "survey"], {
      ...(settings.cells.form_title === undefined ? {} : { name: settings.cells.form_title }),
      ...(language === undefined ? {} : { language }),
      ...(Object.keys(kept).length + this.#rest.length > 0 ? { xlsform: { ...kept, rows: this.#rest } } : {}),
    });
  }

  /** Finds where each row leads. A group is left at the row that ends it. */
  #inOrder(kinds: readonly Kind[], ids: readonly string[]): readonly Step[] {
    const taken = new Set<string>();
    const open: number[] = [];
    const ends = new Map<number, number>();
    for (const [index, { is }] of kinds.entries()) {
      if (is === "group" || is === "repeat") open.push(index);
      if (is !== "end") continue;
      const start = open.pop();
      if (start === undefined) this.#note("unread-part", index, "It ends a group that was not begun", "Remove it");
      else ends.set(start, index);
    }
    for (const start of open) this.#note("unread-part", start, "Its group has no end", "Add a row that ends it");
    const starts = new Map([...ends].map(([start, end]) => [end, start]));
    return this.#form.survey.map((row, index) => {
      const wanted = ids[index] ?? "row";
      const id = taken.has(wanted) ? this.#draft.helper(wanted) : wanted;
      if (id !== wanted && row.cells.name !== undefined)
        this.#note(
          "duplicate-node",
          index,
          `There is another row ${shown(wanted)} before it`,
          `Rename it; it is "${id}" now`,
        );
      taken.add(id);
      const start = starts.get(index);
      const repeats = start !== undefined && kinds[start]?.is === "repeat" ? { repeats: start } : {};
      return { row, kind: kinds[index] ?? { is: "unknown" }, id, next: (ends.get(index) ?? index) + 1, ...repeats };
    });
  }

  #note(code: string, index: number, message: string, hint: string): void {
    this.#draft.warn(code, this.#form.survey[index]?.path ?? ["sheets", "survey"], message, hint);
  }

  /** The node where a call goes on; after the last row it ends. Rows that do nothing have no node. */
  #at(index: number): string {
    const step = this.#steps.slice(index).find((each) => !isPassed(each));
    return step?.id ?? this.#draft.end();
  }

  #text(row: Row, column: string): string {
    return filledIn(translated(row, column, this.#language), this.#scope.variable);
  }

  #add(step: Step): void {
    const { row, kind } = step;
    const next = this.#at(this.#steps.indexOf(step) + 1);
    const inside = this.#relevant(step, next);
    const read = columnsOf(step);
    const others = this.#otherLanguages(row, read);
    const kept = {
      ...this.#draft.left(row.cells, [...read, ...this.#texts(row, read), ...Object.keys(others)], row.path),
      ...others,
    };
    if (kind.is === "question") this.#addQuestion(step, kind, inside, next, kept);
    else if (kind.is === "note") this.#addNote(step, inside, next, kept);
    else if (kind.is === "calculation") this.#addCalculation(step, inside, next, kept);
    else if (step.repeats !== undefined) this.#addRound(step, step.repeats, next, kept);
    else {
      this.#nameUnasked(step);
      this.#rest.push(row.cells);
      if (!isPassed(step))
        this.#draft.add(inside, "logic", { transitions: [this.#draft.step(next, ALWAYS_TAKEN)] }, row.path);
    }
  }

  /** Names a row that a call does not ask for. */
  #nameUnasked({ row, kind, id }: Step): void {
    const type = shown(row.cells.type ?? "");
    const label = translated(row, "label", this.#language);
    if (kind.is === "setting")
      this.#draft.note("unread-settings", row.path, `A call does not know ${type}`, "Pass it as a variable");
    else if (kind.is === "unknown")
      this.#draft.warn(
        "unknown-node",
        row.path,
        `${shown(id)} has the type ${type}, which a call cannot ask for; calls pass it`,
        "Replace the row by a question",
      );
    else if (label !== "")
      this.#draft.note(
        "unread-settings",
        [...row.path, "label"],
        `Callers do not hear the title ${shown(label)}`,
        "Add a note",
      );
  }

  /** The columns of texts that were read, in the form's language. */
  #texts(row: Row, read: readonly string[]): readonly string[] {
    return SPOKEN.filter((column) => read.includes(column)).flatMap((column) => {
      const text = translated(row, column, this.#language);
      return Object.keys(row.cells).filter((key) => key.split("::")[0] === column && row.cells[key] === text);
    });
  }

  /** Texts in other languages, which are kept. */
  #otherLanguages(row: Row, columns: readonly string[]): { readonly [column: string]: string } {
    const read = this.#texts(row, columns);
    const others = Object.entries(row.cells).filter(([key]) => {
      const [column = "", language] = key.split("::");
      return language !== undefined && columns.includes(column) && !read.includes(key);
    });
    for (const [key] of others) this.#unread.add(key.split("::")[1] ?? "");
    return Object.fromEntries(others);
  }

  /** The node id of what a step does; a condition before it has the step's own id. */
  #relevant({ row, kind, id, next: after }: Step, next: string): string {
    const { relevant = "" } = row.cells;
    if (relevant === "" || kind.is === "end") return id;
    const inside = this.#draft.helper(`${id} asked`);
    const isGroup = kind.is === "group" || kind.is === "repeat";
    const skipped = isGroup ? this.#at(after) : next;
    const ways = this.#decided(
      logicOf(relevant, { ...this.#scope, self: this.#scope.variable(id) }),
      inside,
      row,
      "relevant",
    );
    const transitions = [...ways, this.#draft.step(skipped, ALWAYS_TAKEN)];
    this.#draft.add(id, "logic", { transitions }, row.path);
    return inside;
  }

  /** Transitions by a condition, which is named where the model decides it. */
  #decided(logic: Logic, target: string, row: Row, column: string) {
    const conditions = conditionsOf(logic);
    if (!isExact(conditions))
      this.#draft.warn(
        "condition-in-words",
        [...row.path, column],
        `The model decides ${shown(row.cells[column] ?? "")}, which has no equation`,
        "Write an equation if one will do",
      );
    return conditions.map((condition) => this.#draft.step(target, condition));
  }

  #addQuestion(
    step: Step,
    kind: Extract<Kind, { is: "question" }>,
    id: string,
    next: string,
    kept: { readonly [key: string]: unknown },
  ): void {
    const { row } = step;
    const draft = this.#draft;
    const again = this.#draft.helper(`${step.id} answer`);
    const variable = this.#scope.variable(row.cells.name ?? step.id);
    this.#nameChoices(row, kind);
    draft.add(
      id,
      "conversation",
      {
        ...{ state_prompt: spoken(this.#text(row, "label") || step.id, kind.choices), instruction_type: "static_text" },
        transitions: [draft.step(again, ALWAYS_TAKEN, AFTER_CALLER)],
        kept,
      },
      row.path,
    );
    const isRequired = /^(?:yes|true|true\(\))$/i.test(row.cells.required ?? "");
    const answered = compared(variable, "exists");
    const fits =
      row.cells.constraint === undefined
        ? undefined
        : logicOf(row.cells.constraint, { ...this.#scope, self: variable });
    const isGood = fits === undefined ? answered : all(answered, fits);
    const goesOn = isRequired ? isGood : any(compared(variable, "not_exist"), ...(fits ? [fits] : []));
    const transitions =
      fits === undefined && !isRequired
        ? [draft.step(next, ALWAYS_TAKEN)]
        : [...this.#decided(goesOn, next, row, "constraint"), draft.step(this.#refused(step, id, again), ALWAYS_TAKEN)];
    draft.add(again, "extract", { variables_to_extract: [this.#variable(variable, row, kind)], transitions }, row.path);
  }

  /** The node that says what is wrong with an answer; without such words, the question is asked again. */
  #refused({ row, id }: Step, question: string, answer: string): string {
    const message = this.#text(row, "constraint_message") || this.#text(row, "required_message");
    if (message === "") return question;
    const refused = this.#draft.helper(`${id} refused`);
    const transitions = [this.#draft.step(answer, ALWAYS_TAKEN, AFTER_CALLER)];
    return this.#draft.add(
      refused,
      "conversation",
      { state_prompt: message, instruction_type: "static_text", transitions },
      row.path,
    );
  }

  #variable(name: string, row: Row, kind: Extract<Kind, { is: "question" }>): VariableExtraction {
    const parts = [this.#text(row, "label"), kind.variable.description ?? "", this.#text(row, "hint")];
    return { name, ...kind.variable, description: parts.filter((part) => part !== "").join("; ") };
  }

  #nameChoices(row: Row, kind: Extract<Kind, { is: "question" }>): void {
    const path = [...row.path, "type"];
    if (isExternal(row))
      this.#draft.warn("unread-part", path, "Its choices are in another file", "Write them into the sheet of choices");
    if (row.cells.choice_filter !== undefined)
      this.#draft.warn(
        "approximated",
        [...row.path, "choice_filter"],
        "All choices are offered, whatever was answered before",
        "Make a question for each case",
      );
    if (kind.choices.length > MOST_CHOICES_SAID)
      this.#draft.note(
        "approximated",
        path,
        `The ${kind.choices.length} choices are not read out`,
        "Write the question so that callers know them",
      );
  }

  #addNote({ row }: Step, id: string, next: string, kept: { readonly [key: string]: unknown }): void {
    const words = { state_prompt: this.#text(row, "label"), instruction_type: "static_text" } as const;
    const transitions = [this.#draft.step(next, ALWAYS_TAKEN, AT_ONCE)];
    this.#draft.add(id, "conversation", { ...words, transitions, kept }, row.path);
  }

  #addCalculation({ row, id: name }: Step, id: string, next: string, kept: { readonly [key: string]: unknown }): void {
    const formula = row.cells.calculation ?? row.cells.calculate ?? "";
    this.#draft.warn(
      "set-variable",
      [...row.path, "calculation"],
      `A model gives ${shown(name)} its value: ${shown(formula)}`,
      "Set it with a tool if it has to be computed",
    );
    const variable = this.#scope.variable(row.cells.name ?? name);
    const value = assigned(variable, `{{${variable}}}`);
    const formulaWords = `The value of this formula: ${filledIn(formula, this.#scope.variable)}`;
    const description = [this.#text(row, "label"), formulaWords].filter((part) => part !== "").join("; ");
    const transitions = [this.#draft.step(next, ALWAYS_TAKEN)];
    this.#draft.add(id, "extract", { variables_to_extract: [{ ...value, description }], transitions, kept }, row.path);
  }

  /** Asks for a further round of a group that is repeated. Its answers replace those before. */
  #addRound(step: Step, first: number, next: string, kept: { readonly [key: string]: unknown }): void {
    const { row, id } = step;
    const start = this.#steps[first];
    this.#nameUnasked(step);
    this.#draft.warn(
      "approximated",
      start?.row.path ?? row.path,
      "The answers of each round replace those of the round before",
      "Save each round with a tool",
    );
    const title = (start && this.#text(start.row, "label")) || start?.id || id;
    this.#draft.add(
      id,
      "conversation",
      {
        state_prompt: `Ask the caller whether there is another one: "${title}"`,
        transitions: [
          this.#draft.step(this.#at(first + 1), asked(`There is another one: "${title}"`)),
          this.#draft.step(next, asked(`There is no other one: "${title}"`)),
        ],
        kept,
      },
      row.path,
    );
  }
}

/** Whether a row has no node: calls go on at the next one. */
function isPassed({ row, kind, repeats }: Step): boolean {
  if (kind.is === "note" && !Object.keys(row.cells).some((key) => key.split("::")[0] === "label")) return true;
  if (kind.is === "question" || kind.is === "note" || kind.is === "calculation") return false;
  return repeats === undefined && (row.cells.relevant === undefined || kind.is === "end");
}

const isList = (kind: Kind | undefined): boolean => kind?.is === "question" && kind.isList === true;

/** A question and its choices, as one says them. */
function spoken(label: string, choices: readonly Choice[]): string {
  const names = choices.map((choice) => choice.label);
  if (names.length === 0 || names.length > MOST_CHOICES_SAID) return label;
  const last = names.at(-1) ?? "";
  const said = names.length === 1 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
  return `${label} ${said}${/[.?!]$/.test(last) ? "" : "."}`;
}
