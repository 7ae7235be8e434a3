import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../api/calls.ts";

const { text } = await createPseudonymizer({ key: "a key for tests" });

/** Asserts that parts of texts are replaced. */
function assertReplaced(cases: readonly (readonly [written: string, ...parts: string[]])[]): void {
  const left = cases.flatMap(([written, ...parts]) => {
    const shown = text(written);
    return parts.filter((part) => shown.includes(part)).map((part) => `${part} in ${shown}`);
  });
  assert.deepEqual(left, []);
}

test("surnames that are words are names beside a first name and after an introduction or a title", () => {
  assertReplaced([
    ["This is Tom Miller.", "Tom", "Miller"],
    ["My name is Anna Baker.", "Anna", "Baker"],
    ["Could I speak to Mr Young?", "Young"],
    ["Kann ich Herrn Bauer sprechen?", "Bauer"],
    ["Puis-je parler à Madame Moulin ?", "Moulin"],
    ["¿Está el señor Campos?", "Campos"],
  ]);
});

test("days, months and nouns in German, French and Spanish are no names", () => {
  for (const written of [
    "Ich komme am Freitag.",
    "Haben Sie im März noch etwas frei?",
    "Der Zug fährt um acht.",
    "Née le mauvais jour, cette idée ne marche pas.",
    "Le train part lundi à 9:30.",
    "El tren sale el viernes a las 9:30.",
    "Ich bin Kunde bei Ihnen und brauche Hilfe bei der Steuer.",
  ])
    assert.equal(text(written), written);
});

test("a phone number is replaced with its extension", () => {
  assertReplaced([
    ["415-234-0123x590", "234-0123", "x590"],
    ["Call (415) 234-0123 ext. 12, please.", "234-0123", "12"],
    ["Appelez le 514 234-0123, poste 805.", "234-0123", "805"],
  ]);
});

test("streets are found by their form in each country, and ZIP codes beside their states", () => {
  assertReplaced([
    ["4321 Kuhic Island, Port Lina, CA 90210-1234", "Kuhic", "90210"],
    ["Send it to Port Lina, Texas 75001.", "75001"],
    ["Konrad-Adenauer-Straße 5", "Konrad", "Adenauer"],
    ["Ich wohne in der Rostocker Str. 24, 51375 Leverkusen.", "Rostocker", "51375"],
    ["J'habite 12 bis Rue de la Paix, 75002 Paris.", "Paix", "75002"],
    ["Vivo en la Calle Mayor 5, 28013 Madrid.", "Mayor 5", "28013"],
    ["It's 7 Hickle Brae, Leeds, LS1 4DY.", "Hickle", "LS1 4DY"],
  ]);
});

test("a date of birth is found by the words after it, in each language", () => {
  assertReplaced([
    ["April 5, 1985 is my date of birth.", "1985"],
    ['{"client_dob":"1815-12-10"}', "1815"],
    ["Der 5. März 1985 ist mein Geburtsdatum.", "März 1985", "1985"],
    ["Ich bin am 5. März 1985 geboren.", "1985"],
    ["Le 5 mars 1985, c'est ma date de naissance.", "1985"],
    ["El 5 de marzo de 1985 es mi fecha de nacimiento.", "1985"],
  ]);
  assert.equal(text("Der Termin ist am 5. März 2025."), "Der Termin ist am 5. März 2025.");
});

test("a number is found by the words behind a comma that name it, unless they say more", () => {
  assertReplaced([
    ["C'est 962149918242, mon numéro de carte d'identité.", "962149918242"],
    ["It's 8842137, my account number.", "8842137"],
    ["Hier ist die 8842137, meine Kontonummer.", "8842137"],
  ]);
  const price = "It is 450, my account number is on the form.";
  assert.equal(text(price), price);
});

test("IP addresses become addresses of examples; versions and the own machine stay", () => {
  assert.match(text("I connect from 8.8.4.4."), /^I connect from (?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+\.$/);
  assert.match(text("2a02:8109:9c40:13::1"), /^2001:db8::[\da-f]+:[\da-f]+$/);
  for (const written of ["version 1.2.3.4", "127.0.0.1:3000", "It is 10:30:15."]) assert.equal(text(written), written);
});

test("national ids of several countries are replaced", () => {
  assertReplaced([
    ["My NHS number is 943 476 5919.", "943 476", "5919"],
    ["National Insurance number AB 12 34 56 C", "12 34 56"],
    ["Meine Steuer-ID ist 12 345 678 903.", "345 678"],
    ["Sozialversicherungsnummer 12 345678 A 123", "345678"],
    ["Mon numéro de sécurité sociale est 1 85 05 78 006 084 36.", "78 006"],
    ["El 12345678-Z consta como DNI.", "12345678"],
    ["X1234567L es mi NIE.", "1234567"],
    ["Mon numéro de passeport est 12AB34567.", "12AB34567"],
  ]);
});

test("the language and the country of a call are options", async () => {
  const german = await createPseudonymizer({ key: "a key for tests", language: "de" });
  assert.equal(german.text("Termin Freitag"), "Termin Freitag");
  assert.equal(german.text("Mark Wald"), "Mark Wald", "two nouns in German");
  const english = await createPseudonymizer({ key: "a key for tests", language: "en" });
  assert.doesNotMatch(english.text("Mark Wald"), /Mark|Wald/);
  const austrian = await createPseudonymizer({ key: "a key for tests", language: "en", country: "AT" });
  const mobile = "06641234567"; // a phone number in Austria, and elsewhere any number
  assert.deepEqual([english.text(mobile) === mobile, austrian.text(mobile) === mobile], [true, false]);
  await assert.rejects(createPseudonymizer({ country: "Austria" }), { code: "invalid-option" });
});
