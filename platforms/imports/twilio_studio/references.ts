import { Names } from "../../../src/base/values/mod.ts";
import { placeholderContents, placeholderName } from "../../../src/document/expressions/mod.ts";
import { plainName, renamed } from "../shared/mod.ts";

/** What a flow reads of the result of a widget: `widgets.NAME.PATH`. */
export interface Result {
  /** Path into the result, without `parsed`. */
  readonly path: string;
  readonly variable: string;
}

/** The Liquid references of a flow, such as `flow.variables.plan`, and the variables that they become. */
export class References {
  readonly #names = new Names([], { joint: "_", limit: 60 });
  readonly #variables = new Map<string, string>();
  readonly #results = new Map<string, Result[]>();

  /** @param source Every text of the flow. Variables of the flow keep their names. */
  constructor(source: string) {
    const found = [...new Set(placeholderContents(source).map(placeholderName))];
    const isOwn = (reference: string) => reference.startsWith("flow.variables.");
    for (const reference of [...found.filter(isOwn), ...found.filter((each) => !isOwn(each))]) this.name(reference);
  }

  /** The variable of a reference. */
  name(reference: string): string {
    const known = this.#variables.get(reference);
    if (known !== undefined) return known;
    const short = reference.replace(/^(?:flow\.variables|widgets|trigger)\./, "").replace(".parsed.", ".");
    const variable = this.#names.take(plainName(short));
    this.#variables.set(reference, variable);
    const [, widget, path] = /^widgets\.([^.]+)\.(?:parsed\.)?(.+)$/.exec(reference) ?? [];
    if (widget !== undefined && path !== undefined) {
      const results = this.#results.get(widget) ?? [];
      results.push({ path, variable });
      this.#results.set(widget, results);
    }
    return variable;
  }

  /** A text with variables in place of references. A filter is left out. */
  fill(text: string): string {
    return renamed(text, (inner) => this.name(placeholderName(inner)));
  }

  /** What the flow reads of a widget's result. */
  ofWidget(widget: string): readonly Result[] {
    return this.#results.get(widget) ?? [];
  }
}

/** Whether a text has what only Liquid does: tags, or filters of a value. */
export const hasLogic = (text: string): boolean =>
  /\{%/.test(text) || placeholderContents(text).some((inner) => inner.includes("|"));
