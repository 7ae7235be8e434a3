/** Values and sentences from which messages are generated. */
export interface Vocabulary {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly towns: readonly string[];
  readonly streets: readonly string[];
  /** Ways to write a phone number; `x` is a digit. */
  readonly phones: readonly string[];
  readonly mailDomains: readonly string[];
  /** Sentences with slots such as `{full}`; see {@link SLOTS} for their names. */
  readonly sentences: readonly string[];
  /** Sentences without personal data. */
  readonly ordinary: readonly string[];
}

/** A message with the personal data in it. */
export interface MadeUpMessage {
  readonly text: string;
  readonly slots: readonly { readonly kind: string; readonly value: string }[];
  /** The message with its personal data replaced by a function. */
  readonly shape: RegExp;
}

interface Person {
  readonly first: string;
  readonly last: string;
  readonly phone: string;
  readonly card: string;
  readonly account: string;
  readonly social: string;
  readonly born: readonly [year: number, month: number, day: number];
  readonly street: string;
  readonly domain: string;
}

type Draw = (below: number) => number;

/** Generates messages of a few hundred persons, deterministic for a seed. */
export function makeMessages(vocabulary: Vocabulary, count: number, seed: number): readonly MadeUpMessage[] {
  const draw = createDraw(seed);
  const persons = Array.from({ length: 120 }, () => makePerson(vocabulary, draw));
  return Array.from({ length: count }, (_, index) => {
    const person = persons[draw(persons.length)] ?? makePerson(vocabulary, draw);
    const sentence = vocabulary.sentences[index % vocabulary.sentences.length] ?? "";
    return fill(sentence, person, vocabulary, draw);
  });
}

/** A linear congruential generator: the same numbers on every runtime. */
function createDraw(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function pick<Item>(items: readonly Item[], draw: Draw): Item {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

function digits(count: number, draw: Draw): string {
  return Array.from({ length: count }, () => draw(10)).join("");
}

function makePerson(vocabulary: Vocabulary, draw: Draw): Person {
  const body = `${pick(["4", "51", "37"], draw)}${digits(14, draw)}`.slice(0, 15);
  return {
    first: pick(vocabulary.firstNames, draw),
    last: pick(vocabulary.lastNames, draw),
    phone: pick(vocabulary.phones, draw).replace(/x/g, () => String(2 + draw(8))),
    card: body + luhn(body),
    account: `${1 + draw(8)}${digits(7 + draw(3), draw)}`,
    social: `${100 + draw(500)}-${10 + draw(89)}-${1000 + draw(8999)}`,
    born: [1935 + draw(70), 1 + draw(12), 1 + draw(28)],
    street: `${1 + draw(9800)} ${pick(vocabulary.streets, draw)}`,
    domain: pick(vocabulary.mailDomains, draw),
  };
}

function luhn(body: string): number {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const MONTHS = "January February March April May June July August September October November December".split(" ");

function spoken(text: string): string {
  return [...text.replace(/\D/g, "")].map((digit) => WORDS[Number(digit)]).join(" ");
}

function ascii(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^\w-]/g, "")
    .toLowerCase();
}

/** A value for a slot. */
const SLOTS: { readonly [slot: string]: (person: Person, draw: Draw, vocabulary: Vocabulary) => string } = {
  first: ({ first }) => first,
  last: ({ last }) => last,
  full: ({ first, last }) => `${first} ${last}`,
  lower: ({ first, last }) => `${first} ${last}`.toLowerCase(),
  lowerfirst: ({ first }) => first.toLowerCase(),
  upper: ({ first, last }) => `${first} ${last}`.toUpperCase(),
  spelled: ({ last }) => [...last.replace(/[^\p{L}]/gu, "").toUpperCase()].join(" "),
  dashed: ({ first }) => [...first.replace(/[^\p{L}]/gu, "").toUpperCase()].join("-"),
  phone: ({ phone }) => phone,
  spokenphone: ({ phone }) => spoken(phone.replace(/^\+\d+ /, "")),
  usphone: (_person, draw) => `(${201 + draw(90)}) 555-${digits(4, draw)}`,
  email: ({ first, last, domain }, draw) =>
    `${pick([`${ascii(first)}.${ascii(last)}`, `${ascii(first)}${ascii(last)}${draw(99)}`, `${ascii(first).slice(0, 1)}${ascii(last)}`, `${ascii(first)}_${ascii(last)}`], draw)}@${domain}`,
  spokenemail: ({ first, last }) => `${ascii(first)} dot ${ascii(last)} at gmail dot com`,
  card: ({ card }, draw) =>
    pick([card, card.replace(/(\d{4})(?=\d)/g, "$1 "), card.replace(/(\d{4})(?=\d)/g, "$1-")], draw),
  spokencard: ({ card }) => spoken(card),
  account: ({ account }) => account,
  social: ({ social }) => social,
  spokensocial: ({ social }) => spoken(social),
  born: ({ born: [year, month, day] }, draw) =>
    pick(
      [
        `${MONTHS[month - 1]} ${day}, ${year}`,
        `${month}/${day}/${year}`,
        `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
        `${day} ${MONTHS[month - 1]} ${year}`,
      ],
      draw,
    ),
  street: ({ street }) => street,
  town: (_person, draw, { towns }) => pick(towns, draw),
};
/** Slots without personal data. */
const ORDINARY_SLOTS = ["town"];

function fill(sentence: string, person: Person, vocabulary: Vocabulary, draw: Draw): MadeUpMessage {
  const slots: { kind: string; value: string }[] = [];
  let text = "";
  let shape = "";
  for (const part of sentence.split(/(\{\w+\})/)) {
    const kind = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = kind === undefined ? part : SLOTS[kind]?.(person, draw, vocabulary);
    if (value === undefined) throw new Error(`there is no slot ${part}`);
    text += value;
    if (kind === undefined || ORDINARY_SLOTS.includes(kind)) shape += value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    else {
      shape += "(.+?)";
      slots.push({ kind, value });
    }
  }
  return { text, slots, shape: new RegExp(`^${shape}$`, "u") };
}
