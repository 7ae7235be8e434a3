import { allFakers, type Faker } from "@faker-js/faker";
import { CALENDARS } from "./calendar.ts";
import { KINDS, type Kind, type Language, type Sentences } from "./sentences.ts";

export const LOCALES = { en_US: "en", en_GB: "en", de: "de", fr: "fr", es: "es" } as const;
export type Locale = keyof typeof LOCALES;

/** A text with personal data in it. */
export interface Item {
  readonly kind: Kind;
  readonly text: string;
  /** None of these may be left; of a name, none of its words. */
  readonly values: readonly string[];
}

/** Makes texts with personal data of every kind: sentences, and what tools were given and returned. */
export function makeItems(locale: Locale, perKind: number, seed: number, sentences: Sentences): readonly Item[] {
  const person = createPerson(locale, seed);
  return KINDS.flatMap((kind) =>
    Array.from({ length: perKind }, (_, index) => {
      const templates = [...sentences.personal[kind], ...(JSON_TEMPLATES[kind] ?? [])];
      return fill(kind, templates[index % templates.length] ?? "", person);
    }),
  );
}

/** Makes sentences without personal data. */
export function makeOrdinary(locale: Locale, count: number, seed: number, sentences: Sentences): readonly string[] {
  const faker = allFakers[locale];
  faker.seed(seed);
  const { days, months } = CALENDARS[LOCALES[locale]];
  const price = () => faker.finance.amount();
  const slots: { readonly [slot: string]: () => string } = {
    day: () => faker.helpers.arrayElement(days),
    month: () => faker.helpers.arrayElement(months),
    time: () => `${faker.number.int({ min: 7, max: 12 })}:${faker.helpers.arrayElement(["00", "15", "30", "45"])}`,
    price: () => (LOCALES[locale] === "en" ? `$${price()}` : `${price().replace(".", ",")} €`),
    product: () => faker.commerce.productName(),
    number: () => faker.string.numeric(8),
    city: () => faker.helpers.arrayElement(CITIES[LOCALES[locale]]),
  };
  return Array.from({ length: count }, (_, index) =>
    (sentences.ordinary[index % sentences.ordinary.length] ?? "").replace(
      /\{(\w+)\}/g,
      (_, slot) => slots[slot]?.() ?? "",
    ),
  );
}

const CITIES: { readonly [language in Language]: readonly string[] } = {
  en: ["Boston", "Leeds", "Chicago", "Manchester", "Denver", "Bristol"],
  de: ["Hamburg", "Leipzig", "München", "Köln", "Nürnberg", "Wien"],
  fr: ["Nantes", "Lille", "Strasbourg", "Rennes", "Dijon", "Genève"],
  es: ["Sevilla", "Bilbao", "Zaragoza", "Málaga", "Murcia", "Bogotá"],
};

const JSON_TEMPLATES: { readonly [kind in Kind]?: readonly string[] } = {
  name: [
    '{"client_name":"{name}"}',
    '{"first_name":"{first}","last_name":"{last}"}',
    'search_case({"client_name":"{name}"}) succeeded: {"found":true,"raw":"{\\"client_last_name\\":\\"{last}\\"}"}',
    '{"patient":"{name}","visit":"check-up"}',
    'lookup({"contact":{"name":"{name}"}}) failed: not found',
  ],
  phone: ['{"phone":"{phone}"}', 'lookup({"callback_number":"{phone}"}) succeeded: {"status":"ok"}'],
  address: ['{"address":"{street}"}', 'book({"street":"{street}","nights":2}) succeeded: {"ok":true}'],
  postcode: ['{"zip":"{postcode}"}', '{"postal_code":"{postcode}"}'],
  birthdate: ['{"dob":"{isodate}"}', 'find({"date_of_birth":"{isodate}"}) succeeded: {"found":true}'],
  email: ['{"email":"{email}"}', 'send({"to":"{email}"}) succeeded: {"sent":true}'],
  card: ['{"card_number":"{card}"}'],
  account: ['{"iban":"{iban}"}', '{"account_number":"{account}"}'],
  ip: ['{"ip":"{ip}"}', 'login({"ip_address":"{ip}"}) succeeded: {"ok":true}'],
  "national-id": ['{"{idkey}":"{national}"}'],
  record: ['{"member_id":"{record}"}'],
};

type Slots = { readonly [slot: string]: () => string };
/** Slots that are no personal data, or that another kind counts. */
const OPEN = ["city", "state", "zip", "id", "idkey"];
const BESIDE: { readonly [kind in Kind]?: readonly string[] } = { postcode: ["street"], address: ["postcode"] };

function fill(kind: Kind, template: string, person: () => Slots): Item {
  const slots = person();
  const values: string[] = [];
  const made = new Map<string, string>();
  const text = template.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const value = made.get(slot) ?? slots[slot]?.();
    if (value === undefined) return whole;
    made.set(slot, value);
    if (!OPEN.includes(slot) && !BESIDE[kind]?.includes(slot)) values.push(value);
    return value;
  });
  return { kind, text, values };
}

function createPerson(locale: Locale, seed: number): () => Slots {
  const faker = allFakers[locale];
  faker.seed(seed);
  const language = LOCALES[locale];
  return () => {
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const full = language === "es" ? `${first} ${last} ${faker.person.lastName()}` : `${first} ${last}`;
    const date = faker.date.birthdate();
    const [id, idkey, national] = faker.helpers.arrayElement(NATIONAL[locale](faker));
    return {
      name: () => full,
      first: () => first,
      last: () => last,
      phone: () =>
        faker.phone.number({ style: faker.helpers.arrayElement(["human", "human", "national", "international"]) }),
      street: () => faker.location.streetAddress(faker.datatype.boolean(0.2)),
      city: () => faker.location.city(),
      state: () => faker.location.state({ abbreviated: locale === "en_US" && faker.datatype.boolean() }),
      postcode: () => faker.location.zipCode(),
      zip: () => (locale === "en_GB" ? "postcode" : "ZIP code"),
      date: () => writeDate(date, locale, faker),
      isodate: () => date.toISOString().slice(0, 10),
      email: () => faker.internet.email({ firstName: first, lastName: last }),
      card: () => faker.finance.creditCardNumber(),
      account: () => faker.finance.accountNumber(),
      iban: () => faker.finance.iban({ formatted: faker.datatype.boolean() }),
      ip: () => (faker.datatype.boolean() ? faker.internet.ipv4() : faker.internet.ipv6()),
      id: () => id,
      idkey: () => idkey,
      national: () => national,
      record: () =>
        faker.helpers.arrayElement([faker.string.numeric(8), `MX${faker.string.numeric(7)}`, faker.string.numeric(10)]),
    };
  };
}

function writeDate(date: Date, locale: Locale, faker: Faker): string {
  const [day, month, year] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()];
  const two = (number: number) => String(number).padStart(2, "0");
  const name = CALENDARS[LOCALES[locale]].months[month - 1] ?? "";
  const forms: { readonly [each in Locale]: readonly string[] } = {
    en_US: [
      `${name} ${day}, ${year}`,
      `${two(month)}/${two(day)}/${year}`,
      `${year}-${two(month)}-${two(day)}`,
      `${month}/${day}/${year}`,
    ],
    en_GB: [
      `${day} ${name} ${year}`,
      `${two(day)}/${two(month)}/${year}`,
      `the ${day}th of ${name} ${year}`,
      `${day}.${month}.${year}`,
    ],
    de: [`${day}. ${name} ${year}`, `${two(day)}.${two(month)}.${year}`, `${day}.${month}.${year}`],
    fr: [
      `${day === 1 ? "1er" : day} ${name} ${year}`,
      `${two(day)}/${two(month)}/${year}`,
      `${two(day)}.${two(month)}.${year}`,
    ],
    es: [`${day} de ${name} de ${year}`, `${two(day)}/${two(month)}/${year}`, `${day}-${month}-${year}`],
  };
  return faker.helpers.arrayElement(forms[locale]);
}

type Numbers = (faker: Faker) => readonly (readonly [id: string, key: string, value: string])[];
const digits = (faker: Faker, shape: string) =>
  shape.replace(/[#A]/g, (each) =>
    each === "#" ? faker.string.numeric(1) : faker.helpers.arrayElement([..."ABCEGHJKLMNPRSTWXYZ"]),
  );

const NATIONAL: { readonly [locale in Locale]: Numbers } = {
  en_US: (faker) => [
    ["social security number", "ssn", digits(faker, "4##-5#-####")],
    ["SSN", "social_security_number", digits(faker, "3########")],
    ["passport number", "passport", digits(faker, "#########")],
    ["driver's license", "driver_license", digits(faker, "A#######")],
  ],
  en_GB: (faker) => [
    ["NHS number", "nhs_number", nhs(faker)],
    [
      "National Insurance number",
      "national_insurance_number",
      digits(faker, "AB # ## ## # C".replace("# ## ## #", "## ## ##")),
    ],
    ["NI number", "nino", digits(faker, "JK######A")],
    ["passport number", "passport_no", digits(faker, "#########")],
  ],
  de: (faker) => [
    ["Steuer-ID", "steuer_id", taxId(faker, true)],
    ["Steueridentifikationsnummer", "steueridentifikationsnummer", taxId(faker, false)],
    ["Sozialversicherungsnummer", "sozialversicherungsnummer", digits(faker, "## ###### A ###")],
    ["Personalausweisnummer", "personalausweis", digits(faker, "L##X##T##")],
    ["Reisepassnummer", "reisepass", digits(faker, "C##X##T##")],
  ],
  fr: (faker) => [
    ["numéro de sécurité sociale", "numero_securite_sociale", nir(faker, true)],
    ["numéro de sécu", "nir", nir(faker, false)],
    ["numéro de passeport", "passeport", digits(faker, "##AA#####")],
    ["numéro de carte d'identité", "carte_identite", digits(faker, "############")],
  ],
  es: (faker) => [
    ["DNI", "dni", dni(faker)],
    ["NIE", "nie", nie(faker)],
    ["NIF", "nif", dni(faker)],
    ["pasaporte", "pasaporte", digits(faker, "AAA######")],
    ["número de la seguridad social", "numero_seguridad_social", digits(faker, "28##########")],
  ],
};

function nhs(faker: Faker): string {
  for (;;) {
    const body = faker.string.numeric(9);
    const check = 11 - ([...body].reduce((sum, digit, index) => sum + Number(digit) * (10 - index), 0) % 11);
    if (check !== 10)
      return `${body}${check % 11}`.replace(/^(...)(...)/, faker.datatype.boolean() ? "$1 $2 " : "$1$2");
  }
}

function taxId(faker: Faker, isGrouped: boolean): string {
  const body = `${faker.number.int({ min: 1, max: 9 })}${faker.string.numeric(9)}`;
  let product = 10;
  for (const digit of body) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  const whole = body + ((11 - product) % 10);
  return isGrouped ? whole.replace(/^(..)(...)(...)(...)$/, "$1 $2 $3 $4") : whole;
}

function nir(faker: Faker, isGrouped: boolean): string {
  const two = (max: number) => String(faker.number.int({ min: 1, max })).padStart(2, "0");
  const body = `${faker.helpers.arrayElement(["1", "2"])}${two(99)}${two(12)}${two(95)}${faker.string.numeric(6)}`;
  const key = String(97 - Number(BigInt(body) % 97n)).padStart(2, "0");
  return isGrouped ? `${body} ${key}`.replace(/^(.)(..)(..)(..)(...)(...)/, "$1 $2 $3 $4 $5 $6") : body + key;
}

const LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
function dni(faker: Faker): string {
  const body = faker.string.numeric(8);
  return `${body}${faker.helpers.arrayElement(["", "-"])}${LETTERS[Number(body) % 23]}`;
}
function nie(faker: Faker): string {
  const [letter, body] = [faker.number.int({ max: 2 }), faker.string.numeric(7)];
  return `${"XYZ"[letter]}${body}${LETTERS[Number(`${letter}${body}`) % 23]}`;
}

/** The words or texts of an item that are left in a text. */
export function leftOf({ kind, values }: Item, shown: string): readonly string[] {
  const parts =
    kind === "name" ? values.flatMap((value) => value.split(/[\s-]+/)).filter((word) => word.length > 3) : values;
  // most are nowhere, which is seen without compiling a pattern
  const found = parts.filter((part) => shown.includes(part));
  return found.filter((part) =>
    new RegExp(`(?<![\\p{L}\\d])${part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\d])`, "u").test(shown),
  );
}
