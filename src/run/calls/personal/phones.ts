import type { parsePhoneNumber } from "awesome-phonenumber";
import type { CallLanguage } from "./dictionary.ts";

/** Parses phone numbers. */
export interface PhoneReader {
  /** A normalized form of a number: digits with the country code if it is known. */
  readonly plain: (digits: string, hasPlus: boolean, language: CallLanguage | undefined) => string;
  /** Whether a number can be one of a network, by a country's numbering plan. */
  readonly isValid: (digits: string, hasPlus: boolean, language: CallLanguage | undefined) => boolean;
}

/** Countries of a language whose numbers are written without a country's code, the largest first. */
const COUNTRIES: { readonly [language in CallLanguage]: readonly string[] } = {
  en: ["US", "GB", "IE", "AU"],
  de: ["DE", "AT", "CH"],
  fr: ["FR", "BE", "CH", "CA"],
  es: ["ES", "MX", "CO", "AR"],
};

/** Countries whose national numbers begin with 0. */
const WITH_ZERO: ReadonlySet<string> = new Set(["GB", "IE", "AU", "DE", "AT", "CH", "FR", "BE"]);

/** The language of most calls in a country. */
export function languageOfCountry(country = ""): CallLanguage | undefined {
  return (["en", "de", "fr", "es"] as const).find((language) => COUNTRIES[language].some((each) => each === country));
}

/**
 * Loads the numbering plans of all countries (`awesome-phonenumber`).
 *
 * @param country Country of numbers without a country's code, such as `US`. Default: the countries of the language.
 */
export async function loadPhoneReader(country: string | undefined): Promise<PhoneReader> {
  const { parsePhoneNumber: parse, getSupportedRegionCodes } = await import("awesome-phonenumber");
  const own = country !== undefined && getSupportedRegionCodes().includes(country) ? country : undefined;
  const numbers = (digits: string, hasPlus: boolean, language: CallLanguage | undefined) => {
    const countries = own ? [own, ...COUNTRIES[language ?? "en"]] : COUNTRIES[language ?? "en"];
    return countries
      .filter((each) => hasPlus || digits.startsWith("0") || !WITH_ZERO.has(each))
      .map((each) => read(parse, digits, hasPlus, each));
  };
  return {
    plain: (digits, hasPlus, language) => {
      const all = numbers(digits, hasPlus, language);
      // the same number is the same in texts of all languages
      const home = hasPlus || /^[2-9]/.test(digits) ? read(parse, digits, hasPlus, own ?? "US") : undefined;
      const number = home?.possible ? home : all.find((each) => each.valid);
      return number?.number?.e164.slice(1) ?? digits;
    },
    isValid: (digits, hasPlus, language) => numbers(digits, hasPlus, language).some((each) => each.valid),
  };
}

function read(parse: typeof parsePhoneNumber, digits: string, hasPlus: boolean, regionCode: string) {
  const international = hasPlus || digits.startsWith("00");
  return parse(international ? `+${digits.replace(/^00/, "")}` : digits, { regionCode });
}
