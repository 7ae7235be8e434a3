import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { type Code, name, object, type Property } from "./code.ts";
import type { CodeNames } from "./names.ts";
import { propertyKey, stringCode, templateCode } from "./text_code.ts";
import { type Declared, isTypedText } from "./texts.ts";
import { valueCode } from "./value_code.ts";

/** A constant of an ejected module. */
export interface Constant {
  readonly name: string;
  readonly code: Code;
  /** Declared as a `string`, because the text contains braces that only calls understand. */
  readonly isString?: boolean;
}

/** Texts with more lines than this are moved to the module of prompts. */
const MANY_LINES = 10;
/** Single-line texts and platform values with more characters than this are moved to another module. */
const MANY_CHARACTERS = 500;

/** Writes texts and values as code; long ones become constants in modules beside the flow. */
export class Constants {
  readonly prompts: Constant[] = [];
  readonly settings: Constant[] = [];
  readonly #names: CodeNames;

  constructor(names: CodeNames) {
    this.#names = names;
  }

  /** @param words Name of the text's owner, from which the constant is named. */
  text(text: string, words: string, suffix: string, declared: Declared): Code {
    const isTyped = isTypedText(text, declared);
    const lines = text.split("\n").length;
    const code = lines > 1 && text.trim() !== "" ? templateCode(text) : stringCode(text);
    if (isTyped && lines <= MANY_LINES && text.length <= MANY_CHARACTERS * (lines > 1 ? 3 : 1)) return code;
    const constant = this.#names.constant(words, suffix);
    this.prompts.push({ name: constant, code, ...(isTyped ? {} : { isString: true }) });
    return name(constant);
  }

  /** An object of fields; `deep` names the keys whose own fields are written individually. */
  fields(fields: JsonObject, words: string, deep: readonly string[] = []): Code {
    return object(
      Object.entries(fields).map(
        ([key, value]): Property => ({
          key: propertyKey(key),
          value:
            deep.includes(key) && isRecord(value) ? this.fields(value, words) : this.value(value, `${words} ${key}`),
        }),
      ),
    );
  }

  value(value: unknown, words: string): Code {
    if (value === undefined || JSON.stringify(value).length <= MANY_CHARACTERS) return valueCode(value);
    const constant = this.#names.constant(words, "Settings");
    this.settings.push({ name: constant, code: valueCode(value) });
    return name(constant);
  }
}
