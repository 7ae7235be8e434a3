import type { VariableExtraction } from "../../../src/document/graph/mod.ts";
import { type Form, type Row, translated } from "./document.ts";

/** An answer that a caller gives. */
export interface Choice {
  readonly name: string;
  readonly label: string;
}

/** What a row of the survey is. */
export type Kind =
  | {
      readonly is: "question";
      readonly variable: Omit<VariableExtraction, "name">;
      readonly choices: readonly Choice[];
      readonly isList?: boolean;
    }
  | { readonly is: "note" | "calculation" | "group" | "repeat" | "end" | "setting" | "unknown" };

const PLAIN: { readonly [type: string]: Omit<VariableExtraction, "name"> } = {
  text: { description: "", type: "string" },
  string: { description: "", type: "string" },
  integer: { description: "a whole number", type: "number" },
  int: { description: "a whole number", type: "number" },
  decimal: { description: "a number", type: "number" },
  range: { description: "a number", type: "number" },
  date: { description: "a date, as YYYY-MM-DD", type: "string" },
  time: { description: "a time, as HH:MM", type: "string" },
  datetime: { description: "a date and a time, as YYYY-MM-DD HH:MM", type: "string" },
  "phone number": { description: "a telephone number", type: "string" },
  barcode: { description: "the characters of the code", type: "string" },
  acknowledge: { description: "whether the caller agrees", type: "boolean" },
  trigger: { description: "whether the caller agrees", type: "boolean" },
};

/** Types of rows that say something of the device or the form. */
const SETTINGS =
  /^(?:start|end|today|device_?id|username|user_?name|phone_?number|email|sim_?serial|subscriber_?id|audit|start-geopoint|hidden|xml-external|csv-external|instance_?id)$/;

/** Says what a row is by its type, such as `select_one yes_no`. */
export function kindOf(row: Row, form: Form, language: string | undefined): Kind {
  const type = (row.cells.type ?? "").trim().replaceAll(/\s+/g, " ");
  const plain = type.toLowerCase();
  if (plain === "note") return { is: "note" };
  if (plain === "calculate") return { is: "calculation" };
  if (/^begin[ _](?:group|survey)$/.test(plain)) return { is: "group" };
  if (/^begin[ _](?:repeat|loop\b.*)$/.test(plain)) return { is: "repeat" };
  if (/^end[ _](?:group|repeat|loop|survey)$/.test(plain)) return { is: "end" };
  const [, many, list = ""] =
    /^(select[ _]one|select[ _]multiple|select[ _]all[ _]that[ _]apply|rank)(?: from)? (\S+)/i.exec(type) ?? [];
  if (many !== undefined) {
    const isList = !/one/i.test(many);
    const hasOther = /\bor_other\b/.test(plain);
    const choices = [...choicesOf(form, list, language), ...(hasOther ? [{ name: "other", label: "Other" }] : [])];
    return { is: "question", variable: chosen(choices, isList), choices, isList };
  }
  if (Object.hasOwn(PLAIN, plain)) {
    const variable = PLAIN[plain];
    if (variable) return { is: "question", variable, choices: [] };
  }
  return { is: SETTINGS.test(plain) ? "setting" : "unknown" };
}

function choicesOf({ choices }: Form, list: string, language: string | undefined): readonly Choice[] {
  return choices
    .filter(({ cells }) => (cells.list_name ?? cells.list) === list)
    .map((row) => {
      const name = row.cells.name ?? row.cells.value ?? "";
      return { name, label: translated(row, "label", language) || name };
    })
    .filter(({ name }) => name !== "");
}

function chosen(choices: readonly Choice[], isList: boolean): Omit<VariableExtraction, "name"> {
  const named = choices.map(({ name, label }) => (name === label ? name : `${name} for "${label}"`)).join(", ");
  if (choices.length === 0) return { description: "", type: "string" };
  if (isList) return { description: `all that apply, with a space between them: ${named}`, type: "string" };
  return { description: named, type: "enum", choices: [...new Set(choices.map(({ name }) => name))] };
}

/** Lists that are read from another file, whose choices the form does not have. */
export const isExternal = (row: Row): boolean => /_from_file\b|\.(?:csv|xml|geojson)\b/i.test(row.cells.type ?? "");
